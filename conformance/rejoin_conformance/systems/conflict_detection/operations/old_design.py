"""The operation `old-design`: clients of the design before both designs, and the ground truth."""

from __future__ import annotations

from typing import Final, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import (
    TEXT,
    any_of,
    integer,
    list_of,
    nullable,
    one_of_texts,
    record,
)
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    CLASSIFICATION,
    text_of,
    texts_of,
)


def _old_design(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    folder = cd.old_folder(texts_of(value, "clients"))
    done: list[Json] = []
    for step in cast("list[JsonObject]", value["steps"]):
        client = text_of(step, "client")
        if "edit" in step:
            folder, operations = cd.old_edit(
                folder, client, text_of(step, "edit").encode("utf-8", "surrogatepass")
            )
            polled = cd.OldPoll(folder, operations=operations)
        else:
            polled = cd.old_poll(folder, client, text_of(step, "poll"))
            folder = polled.folder
        done.append(_reported(polled))
    return {"steps": done}


def _reported(polled: cd.OldPoll) -> JsonObject:
    return {
        "classification": polled.classification and polled.classification.value,
        "required": polled.required and polled.required.value,
        "total": cd.total(polled.operations),
    }


OLD_DESIGN: Final = Operation(
    name="conflict-detection/old-design",
    summary=(
        "Play clients of the old design, which is the baseline of both designs, with one file. "
        "Return for each step what the old design decides, what the definitions require, and the "
        "number of remote operations. This operation is optional. Both decisions are null for an "
        "edit, and for a poll that finds nothing new."
    ),
    input_schema=record(
        {
            "clients": list_of(TEXT),
            "steps": list_of(
                any_of(
                    record({"client": TEXT, "edit": TEXT}), record({"client": TEXT, "poll": TEXT})
                )
            ),
        }
    ),
    output_schema=record(
        {
            "steps": list_of(
                record(
                    {
                        "classification": nullable(one_of_texts("overwrite", "conflict")),
                        "required": nullable(CLASSIFICATION),
                        "total": integer(0, 2),
                    }
                )
            )
        }
    ),
    perform=under(READINGS, _old_design),
)
