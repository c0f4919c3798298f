from __future__ import annotations

import pytest

from rejoin.conflict_detection.deletion import (
    may_drop_link,
)
from support.conflict_detection_histories import (
    SNAPSHOTS,
)


@pytest.mark.parametrize(
    ("subscriptions", "seen", "vanished", "expected"),
    [
        ([], {}, [], True),
        (["B"], {"B": b"d"}, [], True),
        (["B"], {"B": b"x"}, [], False),
        (["B"], {}, [], False),
        (["B"], {"B": b"x"}, ["B"], True),
        (["B", "C"], {"B": b"d", "C": b"x"}, [], False),
    ],
)
def test_a_link_may_go_when_all_others_have_the_deletion(
    subscriptions: list[str], seen: dict[str, bytes], vanished: list[str], *, expected: bool
) -> None:
    assert may_drop_link(SNAPSHOTS, b"d", subscriptions, seen, vanished) is expected
