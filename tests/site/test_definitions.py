"""The public definitions of a module are read from its source."""

from __future__ import annotations

from rejoin_site.api_documents import api_documents, function_place
from rejoin_site.definitions import module_in, modules

SOURCE = '''"""A module."""
from rejoin.other import Thing

LIMIT: Final = 5
"""The largest."""

@frozen
class Pair(Base):
    """Two things.

    left: the first.
    """

    left: Thing
    right: int = 0

    @property
    def both(self) -> Pair:
        """Return both."""

    def _hidden(self) -> None: ...


class PairError(ValueError):
    """A fault."""


def paired(left: Thing, *, right: int = 0) -> Pair:
    """Return a pair."""
'''


def test_the_public_definitions_of_a_module_have_their_signatures() -> None:
    module = module_in("rejoin.pairs", SOURCE)
    assert module.docstring == "A module."
    assert [(each.kind, each.name, each.signature) for each in module.definitions] == [
        ("data", "LIMIT", "Final = 5"),
        ("class", "Pair", "(left: rejoin.other.Thing, right: int)"),
        ("exception", "PairError", ""),
        ("function", "paired", "(left: rejoin.other.Thing, *, right: int=0) -> rejoin.pairs.Pair"),
    ]
    assert module.definitions[0].docstring == "The largest."
    assert [(each.kind, each.name) for each in module.definitions[1].inside] == [
        ("property", "both")
    ]


def test_a_function_has_a_place_and_a_hidden_one_has_that_of_its_module() -> None:
    page = "api/rejoin.history_merge.lcau.html"
    assert function_place("rejoin.history_merge.lcau.lca_u") == (
        f"{page}#rejoin.history_merge.lcau.lca_u"
    )
    assert function_place("rejoin.history_merge.lcau._hidden") == page
    assert function_place("elsewhere.function") is None


def test_every_module_of_the_reference_has_a_document() -> None:
    names = {f"api/{each.name}.md" for each in modules()}
    assert "api/rejoin.config_merge.conflict_resolution.md" in names
    assert api_documents().keys() == {*names, "api/index.md"}
