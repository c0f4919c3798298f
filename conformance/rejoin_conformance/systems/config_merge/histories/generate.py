"""Draw a history: a pure function of a profile and a seed.

The generator draws a history scene by scene. A scene is a few events that make a situation from the
document likely: a race, a straggler, a merge with a change on top, a partition.
"""

from __future__ import annotations

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.config_merge.histories.drawn_history import (
    ELEMENTS,
    SCALAR_PATHS,
    SET_PATHS,
    DrawnHistory,
)
from rejoin_conformance.systems.config_merge.histories.events import (
    Add,
    Change,
    Deliver,
    Heal,
    History,
    Inject,
    Partition,
    Push,
)
from rejoin_conformance.systems.config_merge.histories.profiles import Profile
from rejoin_conformance.systems.config_merge.histories.uniform import uniform_events


def generate_history(profile: Profile, seed: int) -> History:
    """Return the history for a seed under a profile."""
    draw = Draw(seed)
    clients = draw.weighted(profile.clients)
    signed = draw.chance(profile.signed, 100)
    readers = draw.below(1 << clients) & ~1 if signed else 0
    drawing = DrawnHistory(
        draw=draw,
        profile=profile,
        clients=clients,
        writers=[client for client in range(clients) if not readers >> client & 1],
    )
    window = draw.weighted(profile.windows)
    if profile.uniform:
        drawing.events += uniform_events(draw, clients)
    else:
        _draw_scenes(drawing)
    return History(
        seed=seed,
        clients=clients,
        window=window,
        signed=signed,
        readers=readers,
        events=tuple(drawing.events),
    )


def _draw_scenes(drawing: DrawnHistory) -> None:
    draw, profile = drawing.draw, drawing.profile
    _begin(drawing)
    drawing.wanted = draw.between(profile.edits_low, profile.edits_high)
    scenes = (
        (profile.solo, _solo),
        (profile.race, _race),
        (profile.straggle, _straggle),
        (profile.merge, _merge),
        (profile.merge_and_edit, _merge_and_edit),
        (profile.rebase, _rebase),
        (profile.powerless, _powerless),
        (profile.cut, _cut),
        (profile.heal, _heal),
        (profile.deliver, _deliver),
        (profile.noise, _noise),
    )
    while drawing.edits < drawing.wanted:
        draw.weighted(scenes)(drawing)


def _begin(drawing: DrawnHistory) -> None:
    """Draw the first message. In some histories two clients start independently of each other."""
    draw, profile = drawing.draw, drawing.profile
    beginners = drawing.writers[: 2 if draw.chance(1, 8) else 1]
    for client in beginners:
        count = draw.between(profile.first_keys_low, profile.first_keys_high)
        changes: list[Change] = []
        for _ in range(count):
            if draw.chance(1, 3):
                changes.append(Add(draw.pick(SET_PATHS), draw.pick(ELEMENTS)))
            else:
                changes.append(drawing.fresh_assignment(draw.pick(SCALAR_PATHS)))
        drawing.edit(client, tuple(changes))
        drawing.events.append(Push(client))
        drawing.edits += 1


def _solo(drawing: DrawnHistory) -> None:
    client = drawing.draw.pick(drawing.writers)
    drawing.catch_up(client)
    drawing.edit_and_push(client)


def _race(drawing: DrawnHistory) -> None:
    racers = _some_writers(drawing, at_least=2)[: max(2, drawing.wanted - drawing.edits)]
    for client in racers:
        drawing.catch_up(client)
    for client in racers:
        drawing.edit_and_push(client)


def _straggle(drawing: DrawnHistory) -> None:
    drawing.edit_and_push(_starter(drawing))


def _merge(drawing: DrawnHistory) -> None:
    if not drawing.conflicts:
        _race(drawing)
        return
    drawing.conflicts = False
    mergers = _some_writers(drawing, at_least=1)
    for client in mergers:
        drawing.catch_up(client)
    for client in mergers:
        drawing.push(client)


def _merge_and_edit(drawing: DrawnHistory) -> None:
    if not drawing.conflicts:
        _race(drawing)
        return
    mergers = _some_writers(drawing, at_least=1)
    for client in mergers:
        drawing.catch_up(client)
    for client in mergers:
        if drawing.edits < drawing.wanted and drawing.draw.chance(2, 3):
            drawing.edit_and_push(client)
        else:
            drawing.push(client)


def _rebase(drawing: DrawnHistory) -> None:
    client = _starter(drawing)
    drawing.edit(client)
    for _ in range(drawing.draw.between(1, 2)):
        drawing.catch_up(client)
    if drawing.draw.chance(1, 3):
        drawing.edit(client)
    drawing.push(client)
    drawing.edits += 1


def _powerless(drawing: DrawnHistory) -> None:
    """Draw an edit and a push of a client that cannot sign, which must have no effect."""
    readers = [client for client in range(drawing.clients) if client not in drawing.writers]
    if not readers:
        _solo(drawing)
        return
    client = drawing.draw.pick(readers)
    drawing.catch_up(client)
    drawing.edit(client)
    drawing.events.append(Push(client))


def _cut(drawing: DrawnHistory) -> None:
    drawing.events.append(Partition(drawing.draw.between(1, (1 << drawing.clients) - 2)))


def _heal(drawing: DrawnHistory) -> None:
    drawing.events.append(Heal())
    drawing.news += 1


def _deliver(drawing: DrawnHistory) -> None:
    drawing.events.append(Deliver())
    drawing.news += 1


def _noise(drawing: DrawnHistory) -> None:
    profile = drawing.profile
    kind = drawing.draw.weighted(
        (
            (profile.again, "again"),
            (profile.other_nonce, "other-nonce"),
            (profile.outsider, "outsider"),
            (profile.newer_version, "newer-version"),
            (profile.signed_copy, "signed-copy"),
            (profile.bad_ciphertext, "bad-ciphertext"),
            (profile.bad_plaintext, "bad-plaintext"),
            (profile.bad_signature, "bad-signature"),
            (profile.forged_rows, "forged-rows"),
            (profile.forged_diff, "forged-diff"),
            (profile.leap, "leap"),
            (profile.last_seqno, "last-seqno"),
        )
    )
    # Injections made from the last few messages matter most; sometimes use an older message.
    reach = 4 if drawing.draw.chance(2, 3) else 64
    target = drawing.draw.below(reach)
    drawing.events.append(Inject(kind, target, drawing.draw.below(1 << 16)))
    drawing.news += 1


def _starter(drawing: DrawnHistory) -> int:
    """Return a client to edit its data. If it has no data yet, it usually catches up first."""
    client = drawing.draw.pick(drawing.writers)
    if client not in drawing.seen and not drawing.draw.chance(1, 8):
        drawing.catch_up(client)
    return client


def _some_writers(drawing: DrawnHistory, *, at_least: int) -> list[int]:
    """Return some clients that can sign, in random order, or all if there are too few."""
    count = drawing.draw.between(at_least, max(at_least, len(drawing.writers)))
    return drawing.draw.sample(drawing.writers, count)
