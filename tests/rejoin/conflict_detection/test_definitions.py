from __future__ import annotations

import pytest

from rejoin.conflict_detection.definitions import check_nickname, check_path
from rejoin.conflict_detection.errors import ConflictDetectionError


@pytest.mark.parametrize("path", ["foo", "a/b", "a b", ".hidden", "...", "foo.conflict", "\u00e9"])
def test_a_path_in_normal_form_is_allowed(path: str) -> None:
    check_path(path)


@pytest.mark.parametrize(
    "path", ["", "/foo", "foo/", "a//b", ".", "a/..", "./a", "a\0b", "foo.conflict-B", "\ud800"]
)
def test_any_other_path_is_refused(path: str) -> None:
    with pytest.raises(ConflictDetectionError) as refusal:
        check_path(path)
    assert refusal.value.code == "bad-path"


@pytest.mark.parametrize("nickname", ["A", "Alice Smith", "x.conflict-y", "\u00e9"])
def test_a_nickname_is_nearly_any_text(nickname: str) -> None:
    check_nickname(nickname)


@pytest.mark.parametrize("nickname", ["", "A,B", "A/B", "A\0", "\udfff"])
def test_a_nickname_that_would_spoil_file_names_is_refused(nickname: str) -> None:
    with pytest.raises(ConflictDetectionError) as refusal:
        check_nickname(nickname)
    assert refusal.value.code == "bad-nickname"
