"""The old design: an upload records the last download before it, and nothing of earlier history.

It is the baseline of the document, which refers to an older document for it. A client remembers
two contents of a file: the one that it last uploaded and the one that it last downloaded. Contents
stand for their capabilities, which the old design derives from them.

The versions of this module also record what they directly follow. The old design cannot see this;
it gives the classification that the definitions require, for comparison.

Source: first paragraphs; "Performance Considerations", the old scheme
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve, field, frozen

from rejoin.conflict_detection.cost_model import NO_OPERATIONS, Operations
from rejoin.conflict_detection.definitions import (
    Classification,
    check_nickname,
    desired_classification,
)
from rejoin.conflict_detection.errors import ConflictDetectionError

_DOWNLOAD: Final = Operations(content_downloads=1)
_UPLOAD: Final = Operations(content_uploads=1, directory_updates=1)


@frozen
class OldVersion:
    """An upload of the old design.

    last_downloaded: the content that its client had last downloaded, or None if it never downloaded
    one. follows: the place of the version that its client had, or nothing; the ground truth.
    """

    content: bytes
    last_downloaded: bytes | None
    follows: tuple[int, ...]


@frozen
class OldClient:
    """A client of the old design, for one file. Versions are given by their places.

    version: the version in the local file. linked: the version in the client's directory, which is
    its last upload. seen: other client -> the version that this client last saw linked there.
    """

    version: int | None = None
    linked: int | None = None
    last_uploaded: bytes | None = None
    last_downloaded: bytes | None = None
    seen: Mapping[str, int] = field(factory=dict)


@frozen
class OldFolder:
    """The clients by their nicknames, and all versions in the order of their uploads."""

    clients: Mapping[str, OldClient]
    versions: tuple[OldVersion, ...] = ()


@frozen
class OldPoll:
    """A poll: what the old design decides, and what the definitions require.

    classification, required: None if nothing new is linked.
    """

    folder: OldFolder
    classification: Classification | None = None
    required: Classification | None = None
    operations: Operations = NO_OPERATIONS


def old_folder(nicknames: Iterable[str]) -> OldFolder:
    """Return a folder with these clients, which have no file.

    Errors: "bad-nickname", "client-exists".

    Clauses: CD-OLD-DESIGN
    Source: first paragraphs
    """
    clients: dict[str, OldClient] = {}
    for nickname in nicknames:
        check_nickname(nickname)
        if nickname in clients:
            raise ConflictDetectionError("client-exists", f"there already is a client {nickname}")
        clients[nickname] = OldClient()
    return OldFolder(clients)


def old_edit(folder: OldFolder, nickname: str, content: bytes) -> tuple[OldFolder, Operations]:
    """Return the folder after a client changed and uploaded its file, and the cost of the upload.

    Errors: "unknown-client".

    Clauses: CD-OLD-UPLOAD, CD-OLD-COST
    Source: "local changes", the old scheme
    """
    client = _client_named(folder, nickname)
    follows = () if client.version is None else (client.version,)
    place = len(folder.versions)
    uploaded = OldVersion(content, client.last_downloaded, follows)
    client = evolve(client, version=place, linked=place, last_uploaded=content)
    return (
        OldFolder({**folder.clients, nickname: client}, (*folder.versions, uploaded)),
        _UPLOAD,
    )


def old_poll(folder: OldFolder, nickname: str, other: str) -> OldPoll:
    """Poll another client's directory; download and classify the version there if it is new.

    Errors: "unknown-client", "own-directory".

    Clauses: CD-OLD-DOWNLOAD, CD-OLD-COST
    Source: "remote changes", the old scheme
    """
    client = _client_named(folder, nickname)
    if other == nickname:
        raise ConflictDetectionError("own-directory", f"{other} cannot poll itself")
    place = _client_named(folder, other).linked
    if place is None or client.seen.get(other) == place:
        return OldPoll(folder)
    found = folder.versions[place]
    classification = old_classification(client, found)
    dag = {number: version.follows for number, version in enumerate(folder.versions)}
    required = desired_classification(dag, client.version, place)
    client = evolve(client, last_downloaded=found.content, seen={**client.seen, other: place})
    if classification is Classification.OVERWRITE:
        client = evolve(client, version=place)
    clients = {**folder.clients, nickname: client}
    return OldPoll(evolve(folder, clients=clients), classification, required, _DOWNLOAD)


def old_classification(client: OldClient, found: OldVersion) -> Classification:
    """Return whether a downloaded version overwrites the client's file in the old design.

    Clauses: CD-OLD-CLASSIFY
    Source: first paragraphs
    """
    if client.version is None:
        return Classification.OVERWRITE
    if found.last_downloaded is None or found.last_downloaded != client.last_uploaded:
        return Classification.CONFLICT
    return Classification.OVERWRITE


def _client_named(folder: OldFolder, nickname: str) -> OldClient:
    client = folder.clients.get(nickname)
    if client is None:
        raise ConflictDetectionError("unknown-client", f"the folder has no client {nickname}")
    return client
