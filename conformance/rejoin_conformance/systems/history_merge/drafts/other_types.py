"""Counters and registers: the merge of histories depends on states only by the 3-way merge."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.drafting import names, query, refused, typed


def _three(state_type: str, states: str) -> JsonObject:
    origin, left, right = states.split(",")
    return {"origin": origin, "left": left, "right": right, "state_type": state_type}


def _three_way(
    state_type: str, name: str, summary: str, clauses: str, states: str, state: str
) -> Draft:
    return query("three-way-merge", f"{state_type}-{name}", summary, clauses,
                 given=_three(state_type, states), output={"state": state})  # fmt: skip


def _given(state_type: str, text: str, merge: str) -> JsonObject:
    return {"nodes": typed(text, state_type), "merge": names(merge), "state_type": state_type}


def _merged(
    state_type: str,
    name: str,
    summary: str,
    clauses: str,
    text: str,
    merge: str,
    state: str,
    operation: str = "merge",
) -> Draft:
    return query(operation, f"{state_type}-{name}", summary, clauses,
                 given=_given(state_type, text, merge), output={"state": state})  # fmt: skip


_COUNTER: Final = "HM-3WAY-COUNTER"
_ANY: Final = "HM-MERGE-ANY-TYPE HM-3WAY-COUNTER"
_REGISTER: Final = "HM-3WAY-REGISTER"
_ANY_REGISTER: Final = "HM-MERGE-ANY-TYPE HM-3WAY-REGISTER"

_COUNTERS = (
    _three_way("counter", "both-count", "Both changes count", _COUNTER, "10,13,9", "12"),
    _three_way("counter", "below-zero", "Counters may go below zero", _COUNTER, "0,-2,-3", "-5"),
    _three_way("counter", "left-unchanged", "Where the left changed nothing, the right stands",
               "HM-3WAY-IDENTITY HM-3WAY-COUNTER", "7,7,-1", "-1"),
    _three_way("counter", "right-unchanged", "And the other way round",
               "HM-3WAY-IDENTITY HM-3WAY-COUNTER", "7,-1,7", "-1"),
    _three_way("counter", "commutes", "Neither side is favoured",
               "HM-3WAY-COMMUTATIVE HM-3WAY-COUNTER", "10,9,13", "12"),
    _three_way("counter", "not-idempotent", "Equal changes count twice", _COUNTER, "1,3,3", "5"),
    _three_way("counter", "large", "Counters of more than 64 bits", _COUNTER,
               "1,100000000000000000000000000000,18446744073709551616",
               "100000000018446744073709551615"),
    _merged("counter", "two-branches", "Two branches of a counter", _ANY,
            "r : 10 ; p < r : 13 ; q < r : 9", "p q", "12"),
    _merged("counter", "nothing", "No nodes have the default state 0", "HM-MERGE-EMPTY "
            "HM-3WAY-COUNTER", "r : 10", "", "0"),
    _merged("counter", "octopus", "Four branches", _ANY,
            "r : 1 ; p < r : 2 ; q < r : 3 ; s < r : 4 ; t < r : 0", "p q s t", "6"),
    _merged("counter", "criss-cross", "The origin of a criss-cross is a merge", _ANY,
            "r : 0 ; p < r : 1 ; q < r : 2 ; a < p q : 13 ; b < p q : 5", "a b", "15"),
    _merged("counter", "staircase", "Shared steps count once", _ANY,
            "r : 0 ; a < r : 1 ; b < a : 11 ; c < b : 111 ; k < a : 3 ; l < b : 16", "c k l",
            "118"),
    _merged("counter", "separate-roots", "Separate roots add up from 0",
            "HM-MERGE-NO-ORIGIN HM-3WAY-COUNTER", "p : 3 ; q : 4", "p q", "7"),
    _merged("counter", "temporary-nodes", "By temporary nodes", "HM-TEMP-AGREES HM-MERGE-ANY-TYPE",
            "r : 0 ; a < r : 1 ; b < a : 11 ; c < b : 111 ; k < a : 3 ; l < b : 16", "c k l", "118",
            "merge-temporary-nodes"),
    _merged("counter", "recurse-fold", "By recurse-fold the shared steps count again",
            "HM-RECURSE-FOLD",
            "r : 0 ; a < r : 1 ; b < a : 11 ; c < b : 111 ; k < a : 3 ; l < b : 16",
            "c k l", "128", "merge-recurse-fold"),
)  # fmt: skip

_REGISTERS = (
    _three_way("register", "left-changed", "The one change counts", _REGISTER, "old,new,old",
    "new"),
    _three_way("register", "right-changed", "On either side", _REGISTER, "old,old,new", "new"),
    _three_way("register", "nothing-changed", "Nothing changed", _REGISTER, "old,old,old", "old"),
    _three_way("register", "same-change", "The same change on both sides",
               f"{_REGISTER} HM-3WAY-IDEMPOTENT", "old,new,new", "new"),
    refused("three-way-merge", "register-conflict", "Two different changes conflict",
            "HM-3WAY-CONFLICT HM-3WAY-REGISTER", given=_three("register", "old,new,newer"),
            mended=_three("register", "old,new,new")),
    _merged("register", "one-branch-changed", "One branch set it anew", _ANY_REGISTER,
            "r : old ; p < r : new ; q < r : old", "p q", "new"),
    _merged("register", "changed-and-back", "One branch changed it and back; the other set it anew",
            _ANY_REGISTER, "r : old ; p < r : new ; s < p : old ; q < r : newer", "q s", "newer"),
    _merged("register", "nothing", "No nodes have the default state, the empty string",
            "HM-MERGE-EMPTY HM-3WAY-REGISTER", "r : old", "", ""),
    _merged("register", "conflict-resolved-before",
            "A node that joins two conflicting branches has "
            "a state of its own", _ANY_REGISTER,
            "r : old ; p < r : new ; q < r : newer ; m < p q : newest ; s < p : new", "m s",
            "newest"),
    refused("merge", "register-conflict-of-heads", "Conflicting heads have no merge",
            "HM-3WAY-CONFLICT", given=_given("register", "r : o ; p < r : a ; q < r : b", "p q"),
            mended=_given("register", "r : o ; p < r : a ; q < r : a", "p q")),
    refused("merge", "register-conflict-of-origins",
            "Nor have nodes whose origins conflict, though "
            "they agree", "HM-3WAY-CONFLICT",
            given=_given("register", "r : o ; p < r : a ; q < r : b ; s < p q : c ; t < p q : c",
                         "s t"),
            mended=_given("register", "r : o ; p < r : a ; q < r : a ; s < p q : c ; t < p q : c",
                          "s t")),
    refused("members", "register-conflict-of-members", "A session in conflict has no state",
            "HM-3WAY-CONFLICT",
            given={"nodes": typed("r : o ; p < r : a ; q < r : b", "register"),
                   "state_type": "register"},
            mended={"nodes": typed("r : o ; p < r : a ; q < r : o", "register"),
                    "state_type": "register"}),
)  # fmt: skip

TOPIC: Final = Topic(
    name="other-types",
    notes=(
        "`state_type` says which type of state an input has: `counter` (a decimal string) or "
        "`register` (a string). Left out, it is `set`. An implementation may offer sets only."
    ),
    drafts=(*_COUNTERS, *_REGISTERS),
)
