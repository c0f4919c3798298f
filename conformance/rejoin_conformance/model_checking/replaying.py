"""Model to code: run a behaviour on the reference, and compare the observed states."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rejoin_conformance.contract.model import AnyModel, Behaviour, Step
from rejoin_conformance.kit.tla_values import Value, same, to_tla
from rejoin_conformance.model_checking.tlc_output import TraceState


@frozen(kw_only=True)
class Disagreement:
    """The first step of a behaviour after which the states of code and model differ.

    at: the number of the step, from 0. observed: the state of the code, or None if the code raised
    an exception; `failure` then describes the exception.
    """

    at: int
    step: Step
    observed: Value | None
    failure: str = ""

    def text(self) -> str:
        """Return the difference in a few lines."""
        shown = self.failure if self.observed is None else to_tla(self.observed)
        return (
            f"step {self.at + 1}, {self.step.text()}:\n"
            f"  the model observes {to_tla(self.step.after)}\n"
            f"  the code observed  {shown}"
        )


def difference(model: AnyModel, behaviour: Behaviour, reading: str) -> Disagreement | None:
    """Return the first step on which the reference differs, or None if there is none."""
    observing = model.replay(behaviour, reading)
    for at, step in enumerate(behaviour.steps):
        try:
            observed = next(observing)
        except StopIteration:
            return Disagreement(
                at=at, step=step, observed=None, failure="none: the code stopped before this step"
            )
        except Exception as error:  # noqa: BLE001 - any exception of the code is a finding
            failure = f"{type(error).__name__}: {error}"
            return Disagreement(at=at, step=step, observed=None, failure=failure)
        if not same(observed, step.after):
            return Disagreement(at=at, step=step, observed=observed)
    return None


def story(behaviour: Behaviour, last: int | None = None) -> str:
    """Return the steps of a behaviour, one per line, up to step number `last`."""
    steps = behaviour.steps if last is None else behaviour.steps[: last + 1]
    return "\n".join(f"{number:>4}  {step.text()}" for number, step in enumerate(steps, start=1))


def trace_text(trace: Sequence[TraceState]) -> str:
    """Return a counterexample of TLC: for each state, the variables that the step changed."""
    lines: list[str] = []
    before: dict[str, str] = {}
    for number, state in enumerate(trace, start=1):
        now = {name: to_tla(value) for name, value in state.variables.items()}
        lines.append(f"{number:>4}  {state.action}")
        changed = (name for name, text in now.items() if before.get(name) != text)
        lines += [f"        {name} = {now[name]}" for name in changed]
        before = now
    return "\n".join(lines)
