"""Chunks: bounded, whole where they can be, complete, and left as they were by edits elsewhere."""

import re
from collections.abc import Callable, Sequence
from random import Random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rich_agent.documents.chunk.chunking import CHUNK_LIMIT, TINY, ChunkText, cut_sections, size
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks, text_to_embed
from rich_agent.documents.extract.markdown import Block, Section, markdown_sections, text_sections
from rich_agent.domain.text import estimate_tokens

PAGE = DocumentRef("https://example.com/a", "https://example.com/a", "A")
LONGEST = CHUNK_LIMIT + 2 * TINY
WORDS = st.text("abc äß日本。！?.! \n", min_size=1, max_size=300)
OPENING = "The same words open each and every paragraph of this document. "
KINDS = (
    *("Some words of prose. ", "短い文です。", "x" * 1_500, "no end of a sentence " * 90),
    *("\n\n", "\n", "- item\n", "1. one\n", "> quoted\n\n"),
    *("# Head\n\n", "## Deeper\n\n", "## Deeper\n\n"),
    "```py\n" + "call(1)\n" * 220 + "```\n\n",
    "| a | b |\n| --- | --- |\n" + "| left | right |\n" * 120 + "\n",
)
MARKDOWN = st.lists(WORDS | st.sampled_from(KINDS), max_size=40).map("".join)


def pieces_of(markdown: str) -> list[ChunkText]:
    """The chunks of a Markdown document."""
    return cut_sections(markdown_sections(markdown, slugs=True), "A")


def ids_of(pieces: Sequence[ChunkText]) -> list[str]:
    """The ids that the chunks get."""
    return [chunk.id for chunk in make_chunks(PAGE, pieces)]


def prose(topic: str, sentences: int = 8) -> str:
    """A paragraph of distinct sentences, about 70 characters each."""
    return " ".join(
        f"Sentence {n} says what {topic} does in case {n} of it." for n in range(sentences)
    )


def with_sections(count: int) -> str:
    """A document of `count` sections with one paragraph each."""
    return "# A\n\n" + "".join(f"## Part {n}\n\n{prose(f'part-{n}')}\n\n" for n in range(count))


def with_paragraphs(count: int) -> str:
    """A document of `count` paragraphs under one heading."""
    return "# A\n\n" + "".join(f"{prose(f'topic-{n}')}\n\n" for n in range(count))


def with_prose(count: int) -> str:
    """Paragraphs of 300 to 900 characters that have nothing in common."""
    chance = Random(count)  # noqa: S311 - the same text each time, and no secret
    words = [
        "".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 9))) for _ in range(999)
    ]
    parts = ["# A"]
    for _ in range(count):
        sentences = [" ".join(chance.choices(words, k=12)) for _ in range(chance.randint(4, 12))]
        parts.append(". ".join(sentences).replace(" does ", " ") + " does it.")
    return "\n\n".join(parts) + "\n\n"


def with_equal_openings(count: int) -> str:
    """Paragraphs of a template, which all begin with the same words."""
    return "# A\n\n" + "".join(f"{OPENING}{prose(f'topic-{n}', 6)}\n\n" for n in range(count))


def with_one_paragraph(count: int) -> str:
    """One paragraph of many sentences."""
    return "# A\n\n" + prose("everything", count * 8)


DOCUMENTS = [with_sections, with_paragraphs, with_prose, with_equal_openings]


@pytest.mark.req("RAG-3", "RAG-5", "COST-2")
@pytest.mark.parametrize("make", DOCUMENTS)
@pytest.mark.parametrize("sentences", [1, 3, 8, 12])
def test_chunks_survive_an_insertion_at_the_top(make: Callable[[int], str], sentences: int) -> None:
    """A paragraph, or a section, put before 100 others makes 2 new chunks at most."""
    before = make(100)
    inserted = f"{OPENING}{prose('insertion', sentences)}\n\n"
    heading = "## Before all\n\n" if make is with_sections else ""
    after = before.replace("# A\n\n", f"# A\n\n{heading}{inserted}", 1)
    old, new = ids_of(pieces_of(before)), ids_of(pieces_of(after))
    assert len(old) >= 40
    assert 1 <= len(set(new) - set(old)) <= 2
    assert len(set(old) - set(new)) <= 2


@pytest.mark.req("RAG-3", "RAG-5", "COST-2")
@pytest.mark.parametrize("make", DOCUMENTS)
def test_chunks_survive_the_edit_of_a_word(make: Callable[[int], str]) -> None:
    """One word changed makes 2 new chunks at most."""
    before = make(100)
    old = set(ids_of(pieces_of(before)))
    places = [found.start() for found in re.finditer(r"\bdoes\b", before)][::17]
    changes = [
        len(set(ids_of(pieces_of(f"{before[:place]}did{before[place + 4 :]}"))) - old)
        for place in places
    ]
    assert min(changes) == 1
    assert max(changes) <= 2


@pytest.mark.costs("it cuts a long document again and again")
@pytest.mark.req("RAG-3", "RAG-5")
@pytest.mark.parametrize("make", DOCUMENTS)
def test_chunks_survive_a_change_of_a_paragraph(make: Callable[[int], str]) -> None:
    """Taken out, put in or rewritten: 2 new chunks at most, in few places 3."""
    parts = make(100).split("\n\n")
    old = set(ids_of(pieces_of("\n\n".join(parts))))
    places = [at for at in range(2, len(parts), 4) if not parts[at].startswith("#")]
    changes = []
    for at in places:
        fresh = f"{OPENING}{prose(f'change-{at}')}"
        for new in ([], [fresh], [fresh, parts[at]]):
            text = "\n\n".join([*parts[:at], *new, *parts[at + 1 :]])
            changes.append(len(set(ids_of(pieces_of(text))) - old))
    assert max(changes) <= 3
    assert sum(change > 2 for change in changes) <= len(changes) * 0.02


@pytest.mark.req("RAG-3", "RAG-5")
def test_long_code_survives_an_insertion_at_the_top() -> None:
    """Also where the same lines come again and again."""
    functions = [f"def call_{n}(value):\n    return value + {n}\n\n" for n in range(120)]
    before, after = (
        set(ids_of(pieces_of("```python\n" + "".join(body) + "```")))
        for body in (functions, ["def first():\n    return None\n\n", *functions])
    )
    assert len(before) >= 4
    assert 1 <= len(after - before) <= 2


@pytest.mark.req("RAG-3")
def test_chunks_with_the_same_words_have_ids_of_their_own() -> None:
    """A document that repeats itself loses no chunk, and the first keeps its id."""
    text = f"# A\n\n## One\n\n{prose('same')}\n\n"
    twice = f"{text}## One\n\n{prose('same')}\n\n"
    once, both = ids_of(pieces_of(text)), ids_of(pieces_of(twice))
    assert both[0] == once[0]
    assert len(set(both)) == 2


@pytest.mark.parametrize(
    ("title", "section", "line"),
    [
        ("Quay | Harbour", "Quay > Opening", "Quay | Harbour > Opening"),
        ("Harbour: the quay", "The quay", "Harbour: the quay > The quay"),
        ("Harbour – Quay", "Quay", "Harbour – Quay"),
        ("Quays", "Quay > Opening", "Quays > Quay > Opening"),
        ("Quay", "Quay > Opening", "Quay > Opening"),
    ],
)
def test_text_to_embed_says_no_heading_twice(title: str, section: str, line: str) -> None:
    """A title that names the page and its site holds the first heading."""
    assert text_to_embed(title, section, "It opens.") == f"{line}\nIt opens."


def test_chunks_do_not_cross_headings() -> None:
    """A short section is a short chunk, with its path and its anchor."""
    pieces = pieces_of("Lead.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n\n### C\n\nThree.\n\n## D\n\nFour.")
    assert [(piece.section, piece.anchor, piece.content) for piece in pieces] == [
        ("A", "", "Lead."),
        ("A", "a", "One."),
        ("A > B", "b", "Two."),
        ("A > B > C", "c", "Three."),
        ("A > D", "d", "Four."),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "```python\n" + "".join(f"call_{n}(argument)\n\n" for n in range(40)) + "```",
        "| name | value |\n| --- | --- |\n" + "\n".join(f"| name-{n} | {n} |" for n in range(50)),
        "- " + "\n    - ".join(f"item {n} of a nested list" for n in range(30)),
    ],
    ids=["fence", "table", "item"],
)
def test_blocks_that_fit_stay_whole(block: str) -> None:
    """Code, tables and list items are cut nowhere, whatever surrounds them."""
    assert len(block) <= CHUNK_LIMIT
    for before in range(6):
        text = "\n\n".join([*(prose(f"before-{n}") for n in range(before)), block, prose("after")])
        assert sum(block in piece.content for piece in pieces_of(text)) == 1


def test_long_code_is_fenced_in_each_part() -> None:
    """Every part opens and closes its fence, and the lines are all there, in order."""
    lines = [f"call_{n}(argument) or other_call_{n}()" for n in range(200)]
    pieces = pieces_of("````python\n" + "\n".join(lines) + "\n````\n")
    parts = [piece.content.split("\n") for piece in pieces]
    assert len(parts) > 3
    assert all((part[0], part[-1]) == ("````python", "````") for part in parts)
    assert [line for part in parts for line in part if line.startswith("call")] == lines


def test_long_table_has_its_head_in_each_part() -> None:
    """Every part is a table that can be read by itself, and the rows are all there, in order."""
    head = ["| name | value |", "| --- | --- |"]
    rows = [f"| the name of row {n} | its value, which is {n} |" for n in range(150)]
    pieces = pieces_of("\n".join([*head, *rows]))
    parts = [piece.content.split("\n") for piece in pieces]
    assert len(parts) > 3
    assert all(part[:2] == head for part in parts)
    assert [row for part in parts for row in part if row.startswith("| the")] == rows


def test_long_paragraph_is_cut_at_sentence_ends() -> None:
    """Also where a sentence ends in a quotation mark, but not in a number."""
    text = " ".join(f'He said "version {n}.5 is out." She said {n}.' for n in range(150))
    pieces = pieces_of(text)
    assert len(pieces) > 3
    assert all(piece.content.endswith((".", '."')) for piece in pieces)
    assert all(piece.content.startswith(("He", "She")) for piece in pieces)
    assert " ".join(piece.content for piece in pieces) == text


def test_long_lines_are_cut_between_them() -> None:
    """Files that have each paragraph on one line are cut where a paragraph ends, others are not."""
    paragraphs = [prose(f"topic-{n}", 10) for n in range(60)]
    pieces = cut_sections(text_sections("\n".join(paragraphs)), "A")
    assert all(piece.content.split("\n")[0] in paragraphs for piece in pieces)
    wrapped = text_sections("\n".join(prose(f"topic-{n}", 1) for n in range(600)))
    assert all(piece.content.endswith(".") for piece in cut_sections(wrapped, "A"))


def test_long_japanese_paragraph_is_cut_at_sentence_ends() -> None:
    """The full-width marks end a sentence without a space after them."""
    text = "".join(
        f"これは第{n}文です。「引用{n}です。」と言った！本当ですか？" for n in range(150)
    )
    pieces = pieces_of(text)
    assert len(pieces) > 3
    assert all(piece.content.endswith(("。", "！", "？", "。」")) for piece in pieces)
    assert all(piece.content.startswith(("これは", "「", "と言", "本当")) for piece in pieces)


def test_words_without_any_end_are_cut_all_the_same() -> None:
    """A line of 20,000 characters without a space gives bounded chunks."""
    pieces = cut_sections(text_sections("x" * 20_000), "A")
    assert all(len(piece.content) <= LONGEST for piece in pieces)
    assert sum(len(piece.content) for piece in pieces) == 20_000


def test_chunks_are_neither_tiny_nor_huge() -> None:
    """Of prose most chunks have 400 to 1,300 characters."""
    sizes = sorted(len(piece.content) for piece in pieces_of(with_one_paragraph(100)))
    assert sizes[-1] <= LONGEST
    assert sizes[0] >= TINY
    assert 400 <= sizes[len(sizes) // 2] <= CHUNK_LIMIT


@pytest.mark.parametrize(
    "heading", ["Sources", "REFERENCES:", "Further reading", "出典", "参考", "*References*"]
)
def test_list_of_references_gives_no_chunk(heading: str) -> None:
    """It would be found for every topic of the document, and answers none."""
    items = (
        "- [One](https://example.com/1), a book\n- Two: <https://example.com/2>\n\n"
        "1. [Three](../three.md)\n2. https://example.com/4\n"
    )
    pieces = pieces_of(f"# A\n\nText.\n\n## {heading}\n\n{items}\n## After\n\nMore.")
    assert [piece.content for piece in pieces] == ["Text.", "More."]


@pytest.mark.parametrize(
    ("heading", "body"),
    [
        ("Sources", "- [One](https://example.com/1)\n- a well in the garden"),
        ("Sources", "The bot reads these:\n\n- [One](https://example.com/1)"),
        ("Links", "- [One](https://example.com/1)"),
        ("References", "A reference points at a value, see https://example.com/1."),
    ],
)
def test_section_that_says_more_than_its_references_is_kept(heading: str, body: str) -> None:
    """Another name, prose, or an item without a link: it may answer something."""
    assert [piece.content for piece in pieces_of(f"# A\n\n## {heading}\n\n{body}")] == [body]


def test_document_of_references_alone_is_kept() -> None:
    """There is nothing better in it to be found."""
    items = "- [One](https://example.com/1)\n- [Two](https://example.com/2)"
    assert [piece.content for piece in pieces_of(f"# References\n\n{items}")] == [items]


def test_chunks_have_a_budget_of_tokens() -> None:
    """Japanese chunks have as many as English ones, and so fewer characters."""
    english = [estimate_tokens(piece.content) for piece in pieces_of(with_one_paragraph(100))]
    text = "".join(f"これは第{n}の文であり、何かについて述べています。" for n in range(400))
    japanese = [estimate_tokens(piece.content) for piece in pieces_of(text)]
    assert max(japanese) <= LONGEST / 4
    assert 0.7 < mean(japanese) / mean(english) < 1.3


@pytest.mark.req("RAG-3", "RAG-5")
def test_japanese_chunks_survive_an_insertion_at_the_top() -> None:
    """As English ones do."""
    parts = [
        "".join(f"第{n}章の{m}番目の文は、装置{n * m}の扱い方を述べます。" for m in range(9))
        for n in range(100)
    ]
    old = set(ids_of(pieces_of("\n\n".join(["# A", *parts]))))
    new = set(ids_of(pieces_of("\n\n".join(["# A", "新しい段落を最初に入れます。" * 5, *parts]))))
    assert len(old) >= 60
    assert 1 <= len(new - old) <= 2


def test_chunks_lead_to_their_first_block() -> None:
    """Blocks with anchors of their own, also the parts of a long one."""
    blocks = [Block(prose(f"page-{n}", 20), anchor=f"page={n}") for n in range(1, 4)]
    pieces = cut_sections([Section(("A",), "page=1", tuple(blocks))], "A")
    for piece in pieces:
        assert piece.anchor == f"page={piece.content.split('page-')[1][0]}"
    assert {piece.anchor for piece in pieces} == {"page=1", "page=2", "page=3"}


@pytest.mark.parametrize("part", ["x ", "x\n", "日本語"])
def test_text_without_any_end_is_cut_all_the_same(part: str) -> None:
    """Half a million characters of it: all there, in bounded chunks."""
    text = part * (500_000 // len(part))
    pieces = cut_sections(text_sections(text), "A")
    assert all(size(piece.content) <= LONGEST for piece in pieces)
    said = "".join(piece.content for piece in pieces)
    assert "".join(said.split()) == "".join(text.split())


def test_table_with_a_long_head_is_cut_as_well() -> None:
    """Its one row is no longer lost, nor is the head in every part."""
    head = "| " + " | ".join(f"column {n} of many" for n in range(120)) + " |"
    pieces = pieces_of(f"{head}\n|{' --- |' * 120}\n|{' x |' * 120}")
    assert "".join(piece.content for piece in pieces).count("column 7 of many") == 1
    assert all(size(piece.content) <= LONGEST for piece in pieces)


@settings(max_examples=100)
@given(MARKDOWN)
def test_chunks_hold_all_the_text(markdown: str) -> None:
    """Every character but spaces is in a chunk, in order, where no head or fence is repeated."""
    sections = [
        Section(
            section.path,
            section.anchor,
            tuple(Block(block.text, block.glue) for block in section.blocks),
        )
        for section in markdown_sections(markdown, slugs=True)
    ]
    said = "".join(block.text for section in sections for block in section.blocks)
    pieces = cut_sections(sections, "A")
    assert "".join("".join(piece.content for piece in pieces).split()) == "".join(said.split())


@settings(max_examples=100)
@given(MARKDOWN)
def test_chunks_are_bounded_and_the_same_each_time(markdown: str) -> None:
    """Nothing empty, nothing over the limit by more than a tiny neighbour on each side."""
    pieces = pieces_of(markdown)
    for piece in pieces:
        assert piece.section
        assert piece.content.strip()
        assert len(piece.content) <= LONGEST + len("```py\n\n```")
    assert pieces_of(markdown) == pieces
    ids = ids_of(pieces)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("line", ["    value_{0} = compute({0}) or None\n", "これは{0}番目の文。"])
def test_cut_sections_keeps_what_separates_the_parts_of_a_long_paragraph(line: str) -> None:
    """Lines of code stay lines, with their indentation; Japanese sentences get no space between."""
    for count in range(40, 240, 4):
        text = "".join(line.format(number) for number in range(count))
        for piece in cut_sections(text_sections(text), "A"):
            assert piece.content in text
