"""The definitions that the proofs are about compute what the reference computes."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, permutations
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from proofs.check import compiled, folders
from rejoin.history_merge.complete_algorithm import merge
from rejoin.history_merge.errors import HistoryMergeError
from rejoin.history_merge.graph import Graph, Node
from rejoin.history_merge.partial_orders import is_anti_chain
from rejoin.history_merge.reading import folding_by, merging_sets_by, ranked
from rejoin.history_merge.three_way_merge import SETS, SetMerge
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.systems.history_merge.exhaust.dags import Dag, dags, parents_of

PROOFS: Final = next(folder for folder in folders() if folder.system == "history-merge")
NEEDED: Final = ("Order", "Lcau", "Merge", "FoldOrder", "Element", "Counterexample")

NODES_OF_THE_ERRATUM: Final = {
    "r": ([], []),
    "p": (["r"], ["x"]),
    "q": (["r"], ["x"]),
    "s": (["p"], []),
    "t": (["p"], ["x"]),
}
"""The parents and states of `five_nodes` in Counterexample.v."""

Question: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""A fold order, as a ranking, and the nodes to merge."""

QUESTIONS: Final = """
Definition answer (o : option bool) : ascii :=
  match o with None => "-" | Some false => "0" | Some true => "1" end.
Definition history (parents : list (list nat)) (has : list bool) : history bool :=
  map (fun '(p, b) => Node p b) (combine parents has).
Fixpoint every (n : nat) : list (list bool) :=
  match n with O => [[]] | S m => flat_map (fun l => [false :: l; true :: l]) (every m) end.
Definition answers (merged : bool -> bool -> bool -> bool) (parents : list (list nat))
    (questions : list (list nat * list nat)) : string :=
  string_of_list_ascii (flat_map (fun has =>
    map (fun '(ranking, X) =>
      answer (merge (T := Merged_with merged) (ranked ranking) (history parents (false :: has)) X))
    questions) (every (pred (length parents)))).
"""


@pytest.fixture(scope="module")
def coq(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled definitions; without Coq, the test is skipped, saying why."""
    if shutil.which("coqc") is None:
        pytest.skip("there is no Coq (command coqc); install it, for example: apt-get install coq")
    build = tmp_path_factory.mktemp("coq")
    for name in NEEDED:
        shutil.copy(PROOFS.path / f"{name}.v", build)
        compiled("coqc", PROOFS.library, build, f"{name}.v")
    return build


def _computed(coq: Path, definitions: str, terms: Iterable[str]) -> list[str]:
    """Return the strings that Coq computes for some terms."""
    (coq / "Questions.v").write_text(
        "From Coq Require Import Ascii String List Bool.\n"
        f"From {PROOFS.library} Require Import {' '.join(NEEDED)}.\n"
        "Import ListNotations.\nLocal Open Scope char_scope.\n"
        + definitions
        + "".join(f"Eval vm_compute in ({term}).\n" for term in terms),
        encoding="utf-8",
    )
    return compiled("coqc", PROOFS.library, coq, "Questions.v").split('"')[1::2]


def _coq_list(values: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, values))}]"


def _graph(dag: Dag) -> Graph[frozenset[str]]:
    """Return all histories of a DAG at once: element n stands for the history of pattern n.

    In pattern n, the node i > 0 has the element if bit i - 1 of n is set.
    """
    graph = Graph[frozenset[str]]()
    graph.add(Node("0", frozenset(), frozenset()))
    for node, parents in enumerate(parents_of(dag), start=1):
        has = (str(n) for n in range(2 ** len(dag)) if n >> (node - 1) & 1)
        graph.add(Node(str(node), frozenset(map(str, parents)), frozenset(has)))
    return graph


def _questions(graph: Graph[frozenset[str]]) -> list[Question]:
    """Return every set of nodes by ascending ID, and every anti-chain in every order."""
    nodes = range(len(graph))
    subsets = list(chain.from_iterable(combinations(nodes, size) for size in range(len(nodes) + 1)))
    anti_chains = [x for x in subsets if len(x) > 1 and is_anti_chain(graph, list(map(str, x)))]
    return [((), x) for x in subsets] + [(x, x) for each in anti_chains for x in permutations(each)]


def _reference(
    graph: Graph[frozenset[str]], set_merge: SetMerge, question: Question
) -> frozenset[str] | None:
    ranking, x = question
    reading = merging_sets_by(set_merge, folding_by(ranked(map(str, ranking))))
    try:
        return merge(graph, map(str, x), SETS, reading)
    except HistoryMergeError as error:
        if error.code == "not-an-anti-chain":
            return None
        raise


def _expected(dag: Dag, set_merge: SetMerge, questions: Sequence[Question]) -> str:
    """Return the answers of the reference: pattern by pattern, question by question."""
    graph = _graph(dag)
    merged = [_reference(graph, set_merge, question) for question in questions]
    return "".join(
        "-" if state is None else str(int(str(pattern) in state))
        for pattern in range(2 ** len(dag))
        for state in merged
    )


@pytest.mark.parametrize(
    ("definition", "set_merge", "nodes", "histories"),
    [
        ("element_merge", "idempotent", 3, 67),
        pytest.param("element_merge", "idempotent", 4, 707, marks=pytest.mark.long),
        ("additions_cancel", "additions-cancel", 3, 67),
        ("removals_cancel", "removals-cancel", 3, 67),
        ("symmetric_difference", "symmetric-difference", 3, 67),
    ],
)
def test_the_merge_is_that_of_the_reference_in_every_history(
    coq: Path, definition: str, set_merge: SetMerge, nodes: int, histories: int
) -> None:
    """Every set of nodes, refused ones included, and every fold order of every anti-chain."""
    every_dag = [dag for size in range(nodes + 1) for dag in dags(size)]
    assert sum(2 ** len(dag) for dag in every_dag) == histories
    asked = [_questions(_graph(dag)) for dag in every_dag]
    terms = [
        f"answers {definition} {_coq_list(['[]', *map(_coq_list, parents_of(dag))])}"
        f" {_coq_list(f'({_coq_list(ranking)}, {_coq_list(x)})' for ranking, x in questions)}"
        for dag, questions in zip(every_dag, asked, strict=True)
    ]
    found = _computed(coq, QUESTIONS, terms)
    for dag, questions, answers in zip(every_dag, asked, found, strict=True):
        assert answers == _expected(dag, set_merge, questions), parents_of(dag)


def test_the_counterexample_is_that_of_the_vectors(coq: Path) -> None:
    """Theorem 3 is about the history, orders and results of the vectors five-nodes-*."""
    prefix = "history-merge/fold-order/five-nodes-"
    every: list[dict[str, Any]] = [
        vector.to_json() for vector in load_system("history-merge") if vector.id.startswith(prefix)
    ]
    vectors = [vector for vector in every if "order" in vector["input"]]
    assert len(vectors) == 6
    for node in vectors[0]["input"]["nodes"]:
        assert (node["parents"], node["state"]) == NODES_OF_THE_ERRATUM[node["id"]]
    orders = [_coq_list(vector["input"]["order"]) for vector in vectors]
    found = _computed(
        coq,
        QUESTIONS,
        [f"String (answer (merge_in_order {order})) EmptyString" for order in orders],
    )
    for vector, answer in zip(vectors, found, strict=True):
        assert vector["expected"]["output"]["state"] == {"0": [], "1": ["x"]}[answer], vector["id"]
