"""Links to deletions, and when they go."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    Story,
    delete,
    edit,
    join,
    poll,
    undelete,
    unsubscribe,
)
from rejoin_conformance.systems.conflict_detection.drafts.deletion.shared import (
    linked_deletion,
)


def drafts() -> tuple[Draft, ...]:
    """Links to deletions, and when they go."""
    drop, keep = "CD-DELETE-DROP-LINK", "CD-DELETE-KEEP-VERSION"
    return (
        *in_both_designs(
            "link-dropped",
            "Once both link the deletion, each removes the link in its next poll",
            (drop,),
            lambda design: (
                linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
            ),
        ),
        *in_both_designs(
            "link-kept-for-a-third",
            "A link stays while a third client has not taken the deletion over",
            (drop,),
            lambda design: (
                linked_deletion(design, "ABC")
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same")
                .step(poll("A", "C"), None)
                .step(poll("C", "A"), "overwrite", links={"C": {"foo": None}})
                .step(poll("A", "C"), "same", links={"A": {}})
            ),
        ),
        *in_both_designs(
            "dropped-and-brought-back",
            "What follows a deletion whose links are gone is an overwrite",
            (keep, "CD-UNDELETE"),
            lambda design: (
                linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
                .step(undelete("B", "back"), None, {"B": "foo=back"}, links={"B": {"foo": "back"}})
                .step(poll("A", "B"), "overwrite", {"A": "foo=back"}, links={"A": {"foo": "back"}})
            ),
        ),
        *in_both_designs(
            "kept-after-an-earlier-drop",
            "A link that was gone before a deletion does not tell that its owner had that deletion",
            (drop,),
            lambda design: (
                linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
                .step(undelete("A", "back"), None, {"A": "foo=back"}, links={"A": {"foo": "back"}})
                .step(delete("A"), None, {"A": ""}, links={"A": {"foo": None}})
                .step(poll("A", "B"), None)
                .step(poll("B", "A"), "overwrite", links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(poll("B", "A"), None, links={"B": {}})
            ),
        ),
        *in_both_designs(
            "kept-where-an-earlier-deletion-was-seen",
            "Who was seen only with an earlier deletion may have dropped the link to that one",
            (drop,),
            lambda design: (
                Story(design, "ABC", links={client: {} for client in "ABC"})
                .step(edit("B", "x"), None, {"B": "foo=x"}, links={"B": {"foo": "x"}})
                .step(delete("B"), None, {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "overwrite", links={"A": {"foo": None}})
                .step(poll("C", "B"), "overwrite", links={"C": {"foo": None}})
                .step(undelete("B", "y"), None, {"B": "foo=y"}, links={"B": {"foo": "y"}})
                .step(delete("B"), None, {"B": ""}, links={"B": {"foo": None}})
                .step(poll("B", "C"), "stale", literal_found="conflict")
                .step(poll("C", "A"), "same", links={"C": {}})
                .step(poll("A", "B"), "overwrite")
                .step(poll("B", "A"), "same")
                .step(poll("B", "C"), None)
                .step(poll("C", "B"), "overwrite", links={"C": {"foo": None}})
                .step(poll("B", "C"), "same", links={"B": {}})
            ),
        ),
        *in_both_designs(
            "dropped-over-an-ended-subscription",
            "Who ended a subscription may miss a deletion, and have an earlier one; a file that it "
            "brings back is a conflict",
            (drop, keep, "CD-UNSUBSCRIBE"),
            lambda design: (
                Story(design, "ABC", links={client: {} for client in "ABC"})
                .step(edit("A", "a"), None, {"A": "foo=a"}, links={"A": {"foo": "a"}})
                .step(edit("C", "c"), None, {"C": "foo=c"}, links={"C": {"foo": "c"}})
                .step(unsubscribe("B", "A"))
                .step(poll("B", "C"), "overwrite", {"B": "foo=c"}, links={"B": {"foo": "c"}})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=c"})
                .step(delete("B"), None, {"B": ""}, links={"B": {"foo": None}})
                .step(poll("C", "A"), "conflict", {"C": "foo=c foo.conflict-A=a"})
                .step(
                    poll("C", "B"),
                    "overwrite",
                    {"C": "foo.conflict-A=a"},
                    links={"C": {"foo": None}},
                )
                .step(poll("B", "C"), "same", links={"B": {}})
                .step(delete("C", "foo.conflict-A"), None, {"C": ""})
                .step(poll("A", "C"), "overwrite", {"A": ""}, links={"A": {"foo": None}})
                .step(poll("A", "B"), None, links={"A": {}})
                .step(undelete("B", "back"), None, {"B": "foo=back"}, links={"B": {"foo": "back"}})
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=back"})
            ),
        ),
        *in_both_designs(
            "dropped-and-begun-anew",
            "A late client's first version of that name conflicts with the deletion",
            (keep, "CD-LOCAL-MERGE-CONFLICT"),
            lambda design: (
                linked_deletion(design)
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("A", "B"), "same", links={"A": {}})
                .step(join("C", "foo=mine"), None, {"C": "foo=mine"}, links={"C": {"foo": "mine"}})
                .step(poll("A", "C"), "conflict", {"A": "foo.conflict-C=mine"})
            ),
        ),
        *in_both_designs(
            "dropped-by-another-first",
            "A client whose link is the last one sees the others' gone, and removes its own",
            (drop,),
            lambda design: (
                linked_deletion(design, "ABC")
                .step(poll("C", "B"), "overwrite", {"C": "foo=X"}, links={"C": {"foo": "X"}})
                .step(poll("B", "C"), "same")
                .step(poll("B", "A"), "overwrite", {"B": ""}, links={"B": {"foo": None}})
                .step(poll("C", "A"), "overwrite", {"C": ""}, links={"C": {"foo": None}})
                .step(poll("A", "B"), "same")
                .step(poll("A", "C"), "same", links={"A": {}})
                .step(poll("C", "B"), "same", links={"C": {}})
                .step(poll("B", "A"), None)
                .step(poll("B", "C"), None, links={"B": {}})
            ),
        ),
        *in_both_designs(
            "not-dropped-while-changed",
            "A deletion that somebody does not agree to keeps its link",
            (drop, "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                linked_deletion(design)
                .step(edit("B", "b"), None, {"B": "foo=b"}, links={"B": {"foo": "b"}})
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
                .step(poll("B", "A"), "conflict")
            ),
        ),
    )
