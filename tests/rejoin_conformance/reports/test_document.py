"""A document is harmless in every form, whatever text stands in any of its places."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import get_args

import pytest
from attrs import evolve

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.document import (
    Bars,
    Block,
    Code,
    Facts,
    Fold,
    Heading,
    Items,
    Kind,
    Line,
    Span,
    Table,
    Text,
)
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.layered import heads, layered, origins
from rejoin_conformance.reports.document_html import blocks_html, document_html
from rejoin_conformance.reports.document_markdown import code, document_markdown
from rejoin_conformance.reports.rendering import dag_svg, prose

HOSTILE = (
    "</pre></script><script>document.title='owned'</script><img src=x onerror=alert(1)>\x1b[",
    '" onmouseover="alert(1)" \u202e <b>',
    "```\n</details><script>alert(1)</script> [x](https://example.org) | @all `",
    "javascript:alert(1)",
)
VOID = {"meta", "link", "input", "rect", "circle", "path"}


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text. Every element must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open_now: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open_now == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open_now.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open_now.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


def everywhere(text: str) -> list[Block]:
    """Return a document with a text in every place that can have one."""
    line: Line = (text, *(Span(text, kind, to=text) for kind in get_args(Kind)))
    graph = Drawing(text, {1: [], 2: [1]}, {1: text, 2: text}, {2: text}, frozenset({2}))
    inner: list[Block] = [
        Heading(line, 3), Text(line), Items([line]), Facts([(text, line)]),
        Table([line, line], [[line, line]], frozenset({1})), Code(text, frozenset({0})),
        Bars(text, [(text, 3), ("", 0)]), graph,
    ]  # fmt: skip
    return [*inner, Fold(line, [*inner, Fold(line, inner)], anchor="here", is_open=True)]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_adds_no_tag_attribute_or_address(text: str) -> None:
    plain, page = (Page(document_html(each, everywhere(each))) for each in ("harmless", text))
    kept = [[(tag, {*own}) for tag, own in each.tags if tag not in {"mark", "code", "text"}]
            for each in (plain, page)]  # fmt: skip
    assert kept[0] == kept[1]
    assert not any("javascript" in (each.get("href") or "") for _, each in page.tags)
    assert not {"\x1b", "\u202e"} & {*page.text}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_escaped_or_code_in_markdown_and_in_a_terminal(text: str) -> None:
    blocks = [each for each in everywhere(text) if not isinstance(each, Fold)]
    made = document_markdown(
        [
            Text(text), Items([Span(text, "code")]), Code(text), Heading(Span(text, "quiet")),
            Table([text], [[Span(text, "code")], [text]]), Fold((text, Span(text, "code")), []),
        ]
    )  # fmt: skip
    outside = re.sub(r"(?s)(`{3,})text\n.*?\n\1|(?<!\\)(`+) ?(.*?) ?\2(?!`)", "", made)
    assert not re.search(r"(?<!\\)<(?!/?details>|/?summary>|/?code>)", outside)
    assert not {"\x1b", "\u202e"} & {*document_text(blocks)}


def test_a_page_asks_for_nothing_and_names_its_parts_by_their_digests() -> None:
    text = document_html("A page", everywhere("#here"))
    page = Page(text)
    assert not any({"src", "style"} & {*each} for _, each in page.tags)
    links = {each["href"] for tag, each in page.tags if tag == "a"}
    assert links == {"#here"}
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; ")
    assert policy.count("'sha256-") == 2
    assert "unsafe" not in policy
    assert not re.search(r"url\(|@import", text)


def test_only_an_address_of_the_web_or_of_the_page_becomes_a_link() -> None:
    def tags(address: str) -> list[tuple[str, dict[str, str | None]]]:
        return Page(blocks_html([Text(Span("x", "code", to=address))])).tags

    assert ("a", {"href": "https://example.org/7", "rel": "noreferrer"}) in tags(
        "https://example.org/7"
    )
    assert [tag for tag, _ in tags("javascript:alert(1)")] == ["p", "code"]


def test_long_code_is_cut() -> None:
    assert len(document_html("x" * 10_000, [Code("y" * 1_000_000)])) < 30_000


def test_inline_code_has_more_backticks_than_its_text() -> None:
    assert code("a`b``c") == "```a`b``c```"
    assert code("`") == "`` ` ``"
    assert code("a|b", in_table=True) == "`a\\|b`"


def test_a_graph_shows_heads_origins_merges_and_marked_nodes_by_shape_and_class() -> None:
    dag = {1: [], 2: [1], 3: [1], 4: [2, 3]}
    svg = dag_svg(Drawing("m", dag, dict(enumerate("?abcd")), {4: "<b>"}, frozenset({2})))
    assert re.findall('<g class="([^"]*)"', svg) == [
        "node origin",
        "node marked",
        "node",
        "node head",
    ]
    assert (svg.count('class="edge"'), svg.count('class="merge"')) == (4, 1)
    assert ">d</text>" in svg
    assert ">&lt;b&gt;</text>" in svg


def test_a_drawing_can_say_where_merges_begin_and_which_node_is_ignored() -> None:
    drawing = Drawing("m", {1: [], 2: [1], 3: [1], 4: [2, 3], 5: []}, dict(enumerate("?abcde")))
    svg = dag_svg(evolve(drawing, bases=frozenset({3}), ignored=frozenset({1, 5})))
    assert re.findall('<g class="node ?([^"]*)"', svg) == ["", "", "base", "head", "ignored"]


def test_a_long_edge_goes_through_each_layer_beside_the_nodes() -> None:
    places = layered({1: [], 2: [1], 3: [2], 4: [1, 3]})
    assert [*places.size] == [2, 4]
    way = places.edges[4, 1]
    assert [layer for _, layer in way] == [0, 1, 2, 3]
    assert not {*way[1:-1]} & {*places.nodes.values()}


def test_origins_are_the_lowest_common_ancestors_of_what_is_merged() -> None:
    criss_cross = {1: [], 2: [1], 3: [1], 4: [2, 3], 5: [2, 3]}
    assert (heads(criss_cross), origins(criss_cross)) == ({4, 5}, {1, 2, 3})
    assert origins({1: [], 2: [1], 3: [2]}) == set()


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("take `a < b` first", "take <code>a &lt; b</code> first"),
        (r"members(G) = merge\[G\](max(G))", "members(G) = merge[G](max(G))"),
        (r"(a \\ o), anc\*(X)", r"(a \ o), anc*(X)"),
        (r"code keeps `\*`; \ alone stays", r"code keeps <code>\*</code>; \ alone stays"),
        ("no link: [x] (y), a_b * c*", "no link: [x] (y), a_b * c*"),
        ("the *current data*", "the <em>current data</em>"),
    ],
)
def test_markdown_is_shown_as_it_is_read(text: str, page: str) -> None:
    assert prose(text) == page


def test_what_is_too_long_is_cut_at_a_word_and_leaves_no_half_of_a_mark() -> None:
    escaped = Text(Span("anc\\*(X) `a\\*`", "prose"))
    assert document_text([escaped]) == "anc*(X) `a\\*`"
    assert prose("one two three", 13) == "one two three"
    assert prose("one two three", 12) == "one two ..."
    assert prose("one `two three`", 11) == "one <code>two</code> ..."
    assert prose("one <three> four", 13) == "one &lt;three&gt; ..."
