"""Extraction: the same text gives the same sections, and only what a reader sees is text."""

import json
from html import escape
from pathlib import Path

import pytest
from starlette.applications import Starlette

from rich_agent.documents.chunk.chunking import cut_sections
from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument, Validators
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.media import MediaType
from rich_agent.documents.source import make_source
from rich_agent_sandbox.library import library_routes, render_page
from tests.integration.sandbox_openai.serving import served
from tests.unit.documents.documents import docx, word_paragraph
from tests.unit.documents.web_site import QUICK

SAMPLE = Path(__file__).parents[3] / "sample" / "solana"
FILES = sorted(SAMPLE.rglob("*.md"))

MARKDOWN = """\
Title of it
===========

Lead with *stress*, `code | x`, a [link](https://example.com/a "t") and [another](other.md).
Soft line end, 2 < 3 & 4; ping <host>.

* one
* two
    1. nested
    2. again

  with a second paragraph

| a | b |
|:--|--:|
| x \\| y | **z** |
| | 2 |

~~~python
def f(a_b):

    return a * b  # <b>
~~~

    indented code

> quoted
> twice

日本語の文が
続きます。

Second part
-----------

Hard\\
break.

Second part
-----------

1986\\. was a year. \\# no heading
"""


def of(
    text: str | bytes,
    media_type: MediaType = "text/html",
    *,
    charset: str | None = None,
    url: str = "https://example.com/docs/page.html",
) -> Extracted:
    """The content that is extracted from a document."""
    data = text.encode() if isinstance(text, str) else text
    return extract(RawDocument(url, data, media_type, charset))


def article(inner: str) -> Extracted:
    """The content that is extracted from a page with one article."""
    return of(f"<html><head><title>T</title></head><body><article>{inner}</article></body></html>")


@pytest.mark.req("RAG-2")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_extract_gives_the_same_for_a_file_and_its_page(file: Path) -> None:
    """A Markdown file and its page have title, sections, anchors and chunks in common."""
    place = file.relative_to(SAMPLE.parent).with_suffix("").as_posix()
    with served(Starlette(routes=library_routes([SAMPLE]))) as address:
        sources = [make_source(str(file)), make_source(f"{address}/library/{place}")]
        async with SourceReader(QUICK) as reader:
            raws = [await reader.read(s, s.root_url, Validators()) for s in sources]
    read, fetched = (extract(raw) for raw in raws if isinstance(raw, RawDocument))
    assert read.title == fetched.title
    assert read.sections == fetched.sections
    assert cut_sections(read.sections, read.title) == cut_sections(fetched.sections, fetched.title)
    assert all(section.anchor for section in read.sections)


LEAD = (
    "Lead with *stress*, `code | x`, a [link](https://example.com/a) and another. "
    "Soft line end, 2 < 3 & 4; ping <host>."
)


@pytest.mark.req("RAG-2")
def test_extract_gives_one_form_to_each_way_of_writing() -> None:
    """Setext headings, tildes, indented code, soft line ends and loose cells are only spelling."""
    page = render_page(MARKDOWN, "name")
    assert of(MARKDOWN, "text/markdown").sections == article(page.article).sections
    assert of(MARKDOWN, "text/markdown").text.splitlines() == [
        LEAD,
        "",
        *[
            "- one",
            "",
            "- two",
            "",
            "  1. nested",
            "  2. again",
            "",
            "  with a second paragraph",
            "",
        ],
        *["| a | b |", "| --- | --- |", "| x \\| y | **z** |", "|  | 2 |", ""],
        *["```python", "def f(a_b):", "", "    return a * b  # <b>", "```", ""],
        *["```", "indented code", "```", "", "> quoted twice", "", "日本語の文が続きます。", ""],
        *["## Second part", "", "Hard  ", "break.", ""],
        *["## Second part", "", "1986\\. was a year. # no heading"],
    ]


@pytest.mark.req("RAG-2")
def test_extract_does_not_change_what_it_made() -> None:
    """The normal form of the normal form is itself."""
    for file in FILES:
        once = of(file.read_bytes(), "text/markdown")
        assert of(once.text, "text/markdown").text == once.text


def test_extract_takes_the_title_from_the_document() -> None:
    """Front matter, then the heading at the beginning; on a page that, then its head."""
    front = '---\ntitle: "Front"\n---\n# Head\n\ntext'
    assert of(front, "text/markdown").title == "Front"
    assert "Front" not in of(front, "text/markdown").text
    assert of("# Head\n\ntext\n\n# More", "text/markdown").title == "Head"
    assert article("<h1>Head</h1><p>text").title == "Head"
    assert article("<p>text").title == "T"
    assert of("text", "text/plain", url="file:///a/my%20notes.txt").title == "my notes"
    assert of("<p>text", url="https://example.com/").title == "example.com"


_CELLS = [
    {"cell_type": "markdown", "source": "text"},
    {"cell_type": "markdown", "source": "# Late"},
    {"cell_type": "code", "source": "x"},
]


@pytest.mark.parametrize(
    ("text", "media_type"),
    [
        ("text\n\n# Late\n\nmore", "text/markdown"),
        ("text\n\nLate\n====\n\nmore", "text/x-rst"),
        (json.dumps({"cells": _CELLS}), "application/x-ipynb+json"),
        ("<p>text</p><h1>Late</h1><p>more</p>", "text/html"),
    ],
)
def test_extract_takes_no_title_from_the_midst(text: str, media_type: MediaType) -> None:
    """A heading that text precedes names a part; the document is called as its file is."""
    found = of(text, media_type, url="file:///notes/weekly.x")
    assert found.title == "weekly"
    assert found.sections[-1].path == ("Late",)


def test_extract_knows_a_heading_from_a_paragraph_with_a_line_below() -> None:
    """Of 600 letters it is neither a title nor a heading of what follows."""
    long = "many words in one paragraph " * 22
    place = "file:///notes/weekly.x"
    for found in [
        of(f"{long}\n===\n\nmore", "text/markdown", url=place),
        of(f"<h1>{long}</h1><pre>more</pre>", url=place),
    ]:
        assert (found.title, [section.path for section in found.sections]) == ("weekly", [()])
        assert found.text.startswith(f"{long.strip()}\n\n")


def test_page_title_is_a_heading_below_other_text_if_the_head_knows_it() -> None:
    """A date or a rubric often stands above it; any other such heading is one of the text."""
    body = f"<p>Monday</p><h1>A day</h1><p>{'long ' * 30}</p>"
    page = "<head><title>{}</title></head><body><main>{}</main></body>"
    assert of(page.format("A day | News", body)).title == "A day"
    assert of(page.format("Our news", body)).title == "Our news"


@pytest.mark.req("RAG-3")
def test_extract_keeps_the_ids_of_headings() -> None:
    """Own ids, those of an anchor inside and of the section; links to itself are no words."""
    found = article(
        '<h2 id="a_b">One <a href="#a_b">¶</a></h2><p>1</p>'
        '<h2><a name="two"></a>Two</h2><p>2</p>'
        '<section id="three"><h2>Three</h2><p>3</p></section>'
        '<h2 id="four"><a href="#four">Four</a></h2><p>4</p>'
        "<h2>Five</h2><p>5</p>"
    )
    assert [(section.path, section.anchor) for section in found.sections] == [
        (("One",), "a_b"),
        (("Two",), "two"),
        (("Three",), "three"),
        (("Four",), "four"),
        (("Five",), ""),
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="color: red; DISPLAY : none">secret</p>',
        '<div style="visibility:hidden"><p>secret</p></div>',
        "<p hidden>secret</p>",
        '<p aria-hidden="true">secret</p>',
        '<span class="sr-only">secret</span>',
        "<script>secret</script><style>secret</style><template>secret</template>",
        "<noscript>secret</noscript><!-- secret --><nav>secret</nav>",
        '<img alt="secret" src="x.png"><button>secret</button><textarea>secret</textarea>',
        '<p class="intro d-none">secret</p><p class="hidden md:hidden">secret</p>',
        '<p class="element-invisible">secret</p><a class="show-for-sr">secret</a>',
        "<datalist><option>secret</option></datalist><noembed>secret</noembed>",
    ],
)
@pytest.mark.parametrize("media_type", ["text/html", "text/markdown"])
def test_extract_leaves_out_what_is_not_seen(hidden: str, media_type: MediaType) -> None:
    """Words that a person would not read must not reach a model; those after them do."""
    found = of(f"<article>\n<p>before</p>\n{hidden}\n<p>after</p>\n</article>", media_type)
    assert "secret" not in found.text
    assert [block.text for section in found.sections for block in section.blocks] == [
        "before",
        "after",
    ]


@pytest.mark.parametrize("media_type", ["text/html", "text/markdown", "text/plain"])
def test_extract_removes_characters_that_are_not_seen(media_type: MediaType) -> None:
    """Zero-width, tag, bidi and control characters go; the joiners of scripts stay."""
    hidden = "a\u200bb\u2060c\ufeffd\u00ade\u202ef\u2066g" + "".join(
        chr(0xE0000 + ord(letter)) for letter in "ignore"
    )
    text = f"{hidden}h\u200d\u200ci k\u00a0l می‌خواهم 👩‍💻\x07"
    found = of(
        f"<article><p>{text}</p></article>" if media_type == "text/html" else text, media_type
    )
    assert found.text == "abcdefghi k l می‌خواهم 👩‍💻"
    if media_type != "text/plain":
        assert of("<p>x&#8203;&#xE0041;&#8238;y</p>", media_type).text == "xy"


def test_extract_keeps_words_that_look_like_tags() -> None:
    """Placeholders stay, and do not turn what follows into raw HTML."""
    found = of("<host>\nis set.\n\n\\<script> and Vec<T>\n\n# After\n\ntext", "text/markdown")
    assert [section.path for section in found.sections] == [(), ("After",)]
    assert "host>" in found.text
    assert "Vec<T>" in found.text
    page = article("<p>&lt;!-- not a comment</p><p>&lt;pre&gt;</p><h1>After</h1><p>text</p>")
    assert [section.path for section in page.sections] == [(), ("After",)]


def test_extract_keeps_tags_in_code_of_a_line() -> None:
    """Code is no markup, so nothing in it is escaped."""
    assert of("Use `<b>` or `a <b>`.", "text/markdown").text == "Use `<b>` or `a <b>`."
    assert article("<p><code>&lt;b&gt;</code> is bold.</p>").text == "`<b>` is bold."


def test_extract_finds_the_content_of_a_page() -> None:
    """Of article and main the one that holds the text; navigation and footers are left out."""
    prose = "<p>A paragraph of some length about the matter at hand.</p>" * 5
    around = "<nav>menu</nav><div><ul><li>menu</ul></div><footer>imprint</footer>"
    pages = [
        f"{around}<main><h1>Head</h1>{prose}</main>",
        f"{around}<main><nav>menu</nav><article><h1>Head</h1>{prose}</article></main>",
        f"{around}<div role='main'><h1>Head</h1>{prose}<article>teaser</article></div>",
        f"<nav>menu</nav><div><div><h1>Head</h1>{prose}</div></div><footer>imprint</footer>",
    ]
    for page in pages:
        found = of(f"<html><body>{page}</body></html>")
        assert found.sections[0].path == ("Head",)
        assert found.text.count("A paragraph of some length") == 5
        assert "menu" not in found.text
        assert "imprint" not in found.text


def test_extract_finds_the_content_of_a_page_without_marks() -> None:
    """Boilerplate around the text is recognised where nothing is marked."""
    links = "".join(f'<li><a href="/{n}">Menu item {n}</a></li>' for n in range(20))
    prose = "".join(
        f"<p>Paragraph {n} tells at some length, and in whole sentences, what the page is about,"
        " so that anybody can see that this is its content.</p>"
        for n in range(8)
    )
    found = of(
        f"<html><body><div class='sidebar'><ul>{links}</ul></div><div class='content'>"
        f"<h1>Head</h1>{prose}<h2 id='more'>More</h2>{prose}</div></body></html>"
    )
    assert found.text.count("tells at some length") == 16
    assert "Menu item" not in found.text
    assert [section.anchor for section in found.sections if section.path[-1:] == ("More",)] == [
        "more"
    ]


@pytest.mark.parametrize(
    ("text", "codec", "charset", "meta"),
    [
        ("Die Gebühren", "utf-8", "iso-8859-1", "utf-8"),
        ("Die Gebühren", "utf-8", "windows-1251", ""),
        ("Die Gebühren", "cp1252", "utf-8", ""),
        ("Die Gebühren", "cp1252", "utf-8", "utf-8"),
        ("Les élèves sont arrivés", "cp1252", None, ""),
        ("Préstamo de libros para niños", "cp1252", "utf-8", "euc-jp"),
        ("Вход стоит сто рублей", "cp1251", "iso-8859-1", "windows-1251"),
        ("Вход стоит сто рублей", "koi8-r", None, ""),
        ("Η βιβλιοθήκη είναι ανοιχτή", "cp1253", "utf-8", ""),
        ("הספרייה פתוחה כל יום מתשע", "cp1255", None, ""),
        ("المكتبة مفتوحة كل يوم", "cp1256", "utf-8", ""),
        ("ห้องสมุดเปิดทุกวันตั้งแต่เก้าโมง", "cp874", None, ""),
        ("Godziny otwarcia są różne, środa", "iso-8859-2", None, ""),
        ("圖書館每天九點開門", "big5", "utf-8", ""),
        ("图书馆每天九点开门", "gb18030", None, ""),
    ],
)
def test_extract_follows_the_bytes_where_the_charset_does_not_fit(
    text: str, codec: str, charset: str | None, meta: str
) -> None:
    """Servers and authors name wrong charsets, or none; a browser would guess as well."""
    head = f'<meta charset="{meta}">' if meta else ""
    assert of(f"{head}<p>{text}</p>".encode(codec), charset=charset).text == text


def test_extract_guesses_a_charset_from_a_part_of_a_large_file() -> None:
    """Also where the letters that tell it begin late."""
    text = "a" * 300_000 + "\n\n" + "Вход стоит сто рублей. " * 30_000
    assert of(text.encode("koi8-r"), "text/plain").text == text.strip()


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        ("<p>日本語のテキスト</p>".encode("cp932"), "Shift_JIS"),
        ('<meta charset="euc-jp"><p>日本語のテキスト</p>'.encode("euc-jp"), None),
        ("<p>日本語のテキスト</p>".encode("utf-16"), "iso-8859-1"),
        ("\ufeff<p>日本語のテキスト</p>".encode(), "iso-8859-1"),
        ("<p>日本語のテキスト</p>".encode(), "no-such-charset"),
        ('<?xml version="1.0" encoding="utf-8"?><p>日本語のテキスト</p>'.encode(), None),
    ],
)
def test_extract_knows_the_charset(data: bytes, charset: str | None) -> None:
    """Byte order mark, header, meta element, UTF-8: in this order."""
    assert of(data, charset=charset).text == "日本語のテキスト"


def test_extract_guesses_the_charset_of_a_file() -> None:
    """Files say nothing; a broken byte in UTF-8 that was stated stays one broken character."""
    words = "これは、文字コードが書かれていない古いファイルです。漢字とかなを含みます。"
    assert of(words.encode("cp932"), "text/plain").text == words
    damaged = "Gebühren ".encode() + b"\xff text"
    assert of(damaged, "text/plain", charset="utf-8").text == "Gebühren \ufffd text"
    assert of("It’s “quoted”".encode("cp1252"), charset="latin-1").text == "It’s “quoted”"


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"", "text/html"),
        (b"<html><body><p hidden>x</p></body></html>", "text/html"),
        (b"<html><frameset></frameset></html>", "text/html"),
        (b"  \n\n\t", "text/plain"),
        (b"---\ntitle: T\n---\n", "text/markdown"),
        (b"# Only a heading\n", "text/markdown"),
        (("<div>" * 5_000).encode() + b"deep", "text/html"),
    ],
)
def test_extract_refuses_a_document_without_text(data: bytes, media_type: MediaType) -> None:
    """An empty document is a failure that is told, not a document."""
    with pytest.raises(ExtractionError, match="no text found"):
        of(data, media_type)


def test_extract_reads_a_document_whose_parts_nobody_can_read() -> None:
    """Its parts are counted; a document in which nobody sees anything is refused."""
    media_type: MediaType = (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    )
    found = of(docx("<w:p><w:r><w:object/></w:r></w:p>"), media_type)
    assert (found.sections, found.inventory.unread) == ((), {"object": 1})
    with pytest.raises(ExtractionError, match="no text found"):
        of(docx(word_paragraph("secret", hidden=True)), media_type)


def test_extract_says_how_to_convert_an_old_office_file() -> None:
    """Whatever its name or its server says."""
    with pytest.raises(ExtractionError, match="save it as DOCX"):
        of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "text/plain")


def test_extract_refuses_what_is_no_text() -> None:
    """A picture with the suffix of a text is not read as one."""
    with pytest.raises(ExtractionError, match="this is not text"):
        of(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "text/plain")


def test_extract_reads_plain_text_by_paragraphs() -> None:
    """Nothing in it is taken for markup."""
    found = of("# one <b>\r\n\r\n  two\n   three\n", "text/plain")
    assert [block.text for block in found.sections[0].blocks] == ["# one <b>", "two\n   three"]


def test_extract_survives_code_in_pages_of_highlighters() -> None:
    """Spans, line breaks and line numbers inside of code are code as it is read."""
    code = "<span>def</span> f():<br><span class='linenos'>2</span>    <b>return</b> 1\n"
    found = article(f"<p>x</p><pre><code class='language-python'>{code}</code></pre>")
    fence = found.sections[0].blocks[1]
    assert (fence.kind, fence.text) == ("fence", "```python\ndef f():\n    return 1\n```")
    assert escape("<") not in of("```\na < b\n```", "text/markdown").text


@pytest.mark.parametrize(
    "seen",
    [
        '<p class="hidden md:block">seen</p>',
        '<p class="d-none d-lg-flex">seen</p>',
        '<p class="hidden-quay">seen</p>',
        '<div role="tabpanel" class="hidden"><p>seen</p></div>',
    ],
)
def test_extract_keeps_what_is_seen_on_some_screens_or_by_a_click(seen: str) -> None:
    """A class hides it on narrow screens, or until its tab is chosen."""
    assert of(f"<article><p>before</p>{seen}</article>", "text/html").text == "before\n\nseen"


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("Text.\n{: .note #a}\n", "Text."),
        ("1. Contents\n{:toc}\n\nText.", "1. Contents\n\nText."),
        ("`{: .x}` and {:a 1}", "`{: .x}` and {:a 1}"),
    ],
)
def test_extract_leaves_out_lists_of_attributes(markdown: str, text: str) -> None:
    """As kramdown reads them; in code, and where they name no attribute, they are text."""
    assert of(markdown, "text/markdown").text == text


@pytest.mark.parametrize(
    ("document", "media_type"),
    [
        ("<title>The quay</title><main><h1>The quay</h1><p>It opens.</p></main>", "text/html"),
        ("<title>The quay</title><main><p><b>The quay</b></p><p>It opens.</p></main>", "text/html"),
        ("# The quay\n\nIt opens.", "text/markdown"),
        ("The quay\n========\n\nIt opens.", "text/x-rst"),
    ],
)
def test_extract_says_the_title_once(document: str, media_type: MediaType) -> None:
    """It is the document's title, and not the beginning of its text as well."""
    found = of(document, media_type)
    assert (found.title, found.text) == ("The quay", "It opens.")
    assert [block.text for part in found.sections for block in part.blocks] == ["It opens."]


def test_extract_keeps_a_page_that_is_its_title() -> None:
    """There would be nothing left of it."""
    page = "<title>Closed today</title><main><p>Closed today</p></main>"
    assert of(page, "text/html").text == "Closed today"


@pytest.mark.parametrize(
    ("name", "title"),
    [("", "view"), ("Plan v1.2.docx", "Plan v1.2"), ("a/b?c#d%2F.txt", "a/b?c#d%2F")],
)
def test_title_is_the_name_that_the_address_does_not_have(name: str, title: str) -> None:
    """The service names what its addresses do not."""
    raw = RawDocument("https://example.com/file/1/view", b"Text.", "text/plain", name=name)
    assert extract(raw).title == title


def test_title_of_a_document_comes_before_its_name() -> None:
    """A name is a last resort."""
    raw = RawDocument("https://example.com/1", b"# Leave\n\nText.", "text/markdown", name="x.md")
    assert extract(raw).title == "Leave"
