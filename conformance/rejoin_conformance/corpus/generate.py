"""Generate the corpus from drafts: run the reference, and compare with the authors' statements.

The result maps paths below `vectors/` to text. The caller writes the files.

The vectors of a frozen topic come from shrunk random histories and from behaviours of the model.
The committed file keeps the histories and the inputs, and the generator takes them from there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import evolve

from rejoin_conformance.contract.notation import Notation, answer_text
from rejoin_conformance.contract.operation import Operation, Output, Rejected, Result
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import EVERY_READING, Draft, Topic, Vector
from rejoin_conformance.corpus.codes import codes_of
from rejoin_conformance.corpus.load import (
    FORMAT,
    CorpusError,
    DisagreementError,
    load_system,
    load_topic_file,
    load_topic_of_histories,
    retired_ids,
    topic_files,
)
from rejoin_conformance.corpus.schemas import corpus_schemas
from rejoin_conformance.corpus.text_vectors import written_topics
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json, digest_of


def frozen_topics(system: System) -> Iterator[Topic]:
    """Yield the topic of each committed file of a system that has histories."""
    for path in topic_files(system.name):
        topic = load_topic_of_histories(path)
        if topic.histories:
            yield evolve(topic, drafts=tuple(map(_draft, load_topic_file(path))))


def _draft(vector: Vector) -> Draft:
    """Return the draft of a frozen vector. It states no result."""
    return Draft(
        name=vector.id.rpartition("/")[2],
        operation=vector.operation,
        summary=vector.summary,
        clauses=vector.clauses,
        input=vector.input,
        level=vector.level,
        lineage=vector.lineage,
    )


INDEX_PATH: Final = "index.json"


def file_text(value: JsonObject) -> str:
    """Return the committed form of a JSON file: indented by one space, ASCII, a final newline."""
    return json.dumps(value, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def vectors_of(system: System, topic: Topic) -> tuple[Vector, ...]:
    """Return the finished vectors of one topic, in the order of their drafts."""
    return tuple(_finish(system, topic, draft) for draft in topic.drafts)


def system_files(system: System) -> tuple[dict[str, str], tuple[Vector, ...]]:
    """Return one system's part of the corpus: path -> text, and all its vectors."""
    files: dict[str, str] = {}
    vectors: list[Vector] = []
    for topic in (*written_topics(system), *frozen_topics(system)):
        finished = vectors_of(system, topic)
        vectors += finished
        path = f"{system.name}/{topic.name}.json"
        if path in files:
            raise CorpusError(f"{system.name}: two topics have the name {topic.name}; rename one")
        files[path] = topic_text(system, topic, finished)
    for path, schema in corpus_schemas(system).items():
        files[path] = file_text(schema)
    return files, tuple(vectors)


def topic_text(system: System, topic: Topic, vectors: Iterable[Vector]) -> str:
    """Return the text of one file of a corpus: a topic with its finished vectors."""
    listed: list[Json] = [vector.to_json() for vector in vectors]
    value: JsonObject = {
        "schema": FORMAT,
        "system": system.name,
        "topic": topic.name,
        "notes": topic.notes,
        "vectors": listed,
    }
    if topic.histories:
        value["histories"] = [history.to_json() for history in topic.histories]
    return file_text(value)


def index_text(vectors: Iterable[Vector], version: str | None = None) -> str:
    """Return the index of a corpus: every vector with the digest of its canonical JSON.

    version: the version of the corpus; None for a folder of findings, which has no version.
    """
    digests: dict[str, str] = {}
    for vector in vectors:
        if vector.id in digests:
            raise CorpusError(f"two vectors are called {vector.id}; rename one")
        digests[vector.id] = digest_of(vector.to_json())
    listed: list[Json] = [{"id": name, "digest": digests[name]} for name in sorted(digests)]
    named: JsonObject = {} if version is None else {"version": version}
    return file_text({"schema": FORMAT, **named, "vectors": listed})


def write_index(folder: Path) -> None:
    """Write the index of a folder of findings. Raises CorpusError and OSError."""
    vectors = (vector for name in system_names() for vector in load_system(name, folder))
    write_whole(folder / INDEX_PATH, index_text(vectors))


def refuse_lost_ids(before: Iterable[str], after: Iterable[str]) -> None:
    """Check that only vectors with a retired ID leave the corpus.

    Raises CorpusError if another ID disappears, or a retired one is used again.
    """
    retired = retired_ids()
    now = set(after)
    lost = sorted(set(before) - now - retired)
    if lost:
        raise CorpusError(
            f"{lost[0]} would disappear ({len(lost)} in all); list it in vectors/retired.json"
        )
    reused = sorted(now & retired)
    if reused:
        raise CorpusError(f"{reused[0]}: this ID is retired; choose another name")


def _finish(system: System, topic: Topic, draft: Draft) -> Vector:
    name = f"{system.name}/{topic.name}/{draft.name}"
    operation = system.operation(draft.operation)
    if operation is None:
        raise CorpusError(f"{name}: there is no operation {draft.operation}")
    readings = draft.readings or system.readings
    written, draft = draft, _written_out(name, draft)
    misfit = operation.misfit(draft.input)
    results = {reading: misfit or operation.answer(draft.input, reading) for reading in readings}
    _refuse_bad_outputs(name, operation, results)
    if draft.lineage is None:
        _compare_with_statement(name, draft, operation, results, system.notation)
        differs = draft.readings_differ
    else:
        differs = differ(results)
    code = ""
    if draft.mended is not None:
        code = codes_of(system.name).expected(name, draft.clauses, results.values())
    return Vector(
        id=name,
        operation=draft.operation,
        clauses=draft.clauses,
        level=draft.level,
        summary=draft.summary,
        input=written.input,
        expected={
            reading: _stated(written, reading, result, code) for reading, result in results.items()
        },
        readings_differ=differs or readings != system.readings,
        mended=written.mended,
        scenario=draft.scenario,
        lineage=draft.lineage,
        recipe=written.recipe,
    )


def _written_out(name: str, draft: Draft) -> Draft:
    try:
        return draft.written_out
    except MalformedError as error:
        raise CorpusError(f"{name}: {error}") from None


def _stated(written: Draft, reading: str, result: Result, code: str) -> JsonObject:
    """Return the result of a reading, as a recipe if the draft has one: it has been compared."""
    if isinstance(result, Rejected):
        return {"rejected": {"code": code} if code else {}}
    output = written.output_by_reading.get(reading, written.output)
    return {"output": output if written.recipe and output is not None else result.value}


def _is_refused(draft: Draft, reading: str) -> bool:
    return draft.rejected_by == EVERY_READING or reading in draft.rejected_by


def differ(results: Mapping[str, Result]) -> bool:
    """Return whether the results of the readings differ."""
    outcomes = [each.value if isinstance(each, Output) else None for each in results.values()]
    return any(outcome != outcomes[0] for outcome in outcomes)


def _refuse_bad_outputs(name: str, operation: Operation, results: Mapping[str, Result]) -> None:
    for result in results.values():
        fault = operation.output_fault(result.value) if isinstance(result, Output) else None
        if fault is not None:
            raise CorpusError(f"{name}: the reference's output does not match its schema: {fault}")


def _compare_with_statement(
    name: str,
    draft: Draft,
    operation: Operation,
    results: Mapping[str, Result],
    notation: Notation | None,
) -> None:
    for reading, result in results.items():
        if isinstance(result, Rejected):
            _compare_rejection(name, draft, operation, reading, result)
            continue
        if _is_refused(draft, reading):
            raise DisagreementError(
                f"{name}: the reading {reading} accepts this input; the draft states that it "
                "refuses it"
            )
    default = next(iter(results))
    stated = {} if draft.output is None else {default: draft.output}
    for reading, output in {**stated, **draft.output_by_reading}.items():
        result = results[reading]
        if isinstance(result, Output) and result.value != output:
            answers = [
                answer_text(notation, draft.operation, draft.input, each) or canonical_json(each)
                for each in (result.value, output)
            ]
            raise DisagreementError(
                f"{name}: the reference answers {answers[0]} in the reading {reading}, "
                f"the draft states {answers[1]}"
            )
    differs = differ(results)
    if differs != draft.readings_differ:
        raise CorpusError(
            f"{name}: the results of the readings {'differ' if differs else 'agree'}, "
            f"the draft states that they {'differ' if draft.readings_differ else 'agree'}"
        )
    if draft.mended is not None and not draft.rejected_by:
        raise CorpusError(f"{name}: the input is not refused; remove its mended form")


def _compare_rejection(
    name: str, draft: Draft, operation: Operation, reading: str, result: Rejected
) -> None:
    if not _is_refused(draft, reading):
        raise CorpusError(
            f"{name}: the reading {reading} refuses this input: {result.reason}; the draft "
            "states that it accepts it"
        )
    if draft.mended is None:
        raise CorpusError(f"{name}: the input is refused; add its mended form")
    mended = operation.run(draft.mended, reading)
    if isinstance(mended, Rejected):
        raise CorpusError(f"{name}: the mended input is rejected too: {mended.reason}")
