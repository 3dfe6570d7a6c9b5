"""Pages: sections that links lead to, without navigation, decoration, and what nobody sees."""

import pytest

from rich_agent.documents.extract.extraction import Extracted, extract
from rich_agent.documents.fetch.outcomes import RawDocument

PROSE = "<p>A paragraph of some length about the matter at hand, for a person to read.</p>"
LONG = "It says at length what the option does, and when to set it. " * 7


def of(page: str, url: str = "https://example.com/docs/page.html") -> Extracted:
    """The content that is extracted from a page."""
    return extract(RawDocument(url, page.encode(), "text/html"))


def article(inner: str, head: str = "<title>T</title>") -> Extracted:
    """The content that is extracted from a page with one article."""
    return of(f"<html><head>{head}</head><body><article>{inner}</article></body></html>")


def outline(extracted: Extracted) -> list[tuple[tuple[str, ...], str, str]]:
    """Path, anchor and text of each section."""
    return [
        (part.path, part.anchor, "\n".join(block.text for block in part.blocks))
        for part in extracted.sections
    ]


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;left:-9999px",
        "position: fixed; top: -5000px",
        "text-indent:-9999px",
        "font-size:0",
        "font-size: 0.5px",
        "opacity: 0",
        "color:#fff",
        "color: White !important",
        "color:#000;background:#000000",
        "background-color:rgb(10, 20, 30); color: rgb(12,20,30)",
        "color:transparent",
        "clip: rect(0 0 0 0)",
        "clip-path: inset(100%)",
        "transform:scale(0)",
        "overflow:hidden;height:0",
        "visibility:collapse",
        "content-visibility: hidden",
    ],
)
def test_page_text_out_of_sight_is_left_out(style: str) -> None:
    """However it was hidden in its style."""
    found = article(f'<p>before</p><p style="{style}">secret</p><p>after</p>')
    assert found.text == "before\n\nafter"


@pytest.mark.parametrize(
    "style",
    [
        "color:#333",
        "color:#fff;background:#000",
        "opacity:0.9",
        "font-size:0.8em",
        "position:relative;left:-2px",
        "margin-left:-150px",
        "overflow:hidden;height:20px",
        "transform: scale(0.9)",
    ],
)
def test_page_text_in_sight_is_kept(style: str) -> None:
    """Decoration hides nothing."""
    assert article(f'<p style="{style}">seen</p>').text == "seen"


def test_page_text_is_seen_on_the_ground_that_it_stands_on() -> None:
    """White words on a dark box are read, dark ones are not, also by the old attributes."""
    dark = '<div style="background-color:#111">{}</div>'
    assert article(dark.format('<p style="color:white">seen</p>')).text == "seen"
    hidden = dark.format('<p>seen</p><p style="color:#111">secret</p>')
    assert article(hidden).text == "seen"
    assert article('<p>seen</p><p><font color="#FFFFFF">secret</font></p>').text == "seen"


@pytest.mark.parametrize("character", ["&#1;", "&#x1F;", "&#xFFFF;", "\ufffe", "\uffff"])
def test_page_may_contain_characters_that_are_none(character: str) -> None:
    """They are dropped, and the text around them is read."""
    assert of(f"<p>one{character}\ntwo{character}</p>").text == "one two"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("2,500 m<sup>3</sup>", "2,500 m³"),
        ("10<sup>-3</sup> g", "10^-3 g"),
        ("10<sup>−<i>3</i></sup> g", "10^−3 g"),
        ("H<sub>2</sub>O and x<sub>n</sub>", "H₂O and x_n"),
        ("the 1<sup>st</sup> of May", "the 1st of May"),
        ("<code>a<sup>2</sup></code>", "`a2`"),
    ],
)
def test_page_exponents_do_not_join_what_they_stand_at(markup: str, text: str) -> None:
    """A raised 3 is another figure than a 3."""
    assert article(f"<p>before</p><p>{markup}</p><p>after</p>").text == f"before\n\n{text}\n\nafter"


def test_page_attributes_are_no_text() -> None:
    """Titles, abbreviations, citations and readings over characters are not on the page."""
    found = article(
        '<p><a href="https://example.com/a" title="secret">link</a>'
        ' <abbr title="secret">HTML</abbr> <ruby>漢<rp>(</rp><rt>secret</rt><rp>)</rp></ruby></p>'
        '<blockquote cite="https://secret.example.com"><p>quoted</p></blockquote>'
    )
    assert found.text == "[link](https://example.com/a) HTML 漢\n> quoted"


@pytest.mark.parametrize(
    "junk",
    [
        '<div class="breadcrumbs"><a href="/">Home</a> &gt; <a href="/a">Docs</a></div>',
        '<div role="navigation"><a href="/">Contents</a></div>',
        '<div class="navheader"><table><tr><th>Part 3</th></tr></table></div>',
        '<div class="cookie-banner"><p>We use junk.</p></div>',
        '<div id="cookie-consent"><p>We use junk.</p></div>',
        '<p><a href="https://example.com/edit">Edit this page</a></p>',
        '<p><a href="https://github.com/a/b">Edit on GitHub</a></p>',
        '<a rel="prev" href="a.html">Chapter 2</a><a rel="next" href="b.html">Chapter 4</a>',
        '<p><a href="b.html">Next page »</a> <a href="a.html">« Previous</a></p>',
        '<p><a href="b.html">次へ</a></p>',
        "<aside class='toc'><ul><li><a href='#a'>One</a><li><a href='#b'>Two</a></ul></aside>",
        "<footer>Last changed today</footer>",
        '<a class="viewcode-link" href="_modules/a.html">[source]</a>',
    ],
)
def test_page_navigation_is_left_out(junk: str) -> None:
    """Elements that lead around say nothing."""
    found = article(f"{junk}<h1>Head</h1>{PROSE}{junk}")
    assert outline(found) == [(("Head",), "", PROSE[3:-4])]


@pytest.mark.parametrize("name", ["cookies", "navigation", "related", "pagination", "toc"])
def test_page_sections_about_navigation_are_kept(name: str) -> None:
    """An id is the slug of a heading, too."""
    found = article(f'<section id="{name}"><h2>Of {name}</h2>{PROSE}</section>')
    assert outline(found) == [((f"Of {name}",), name, PROSE[3:-4])]


def test_page_permalinks_are_no_words_and_links_in_headings_are() -> None:
    """Signs that link to the heading go, its linked words stay."""
    found = article(
        '<h1><a href="#module-json"><code>json</code></a> — Encoder<a href="#json">¶</a></h1>'
        f'{PROSE}<h2 id="b">More <a class="headerlink" href="#b" title="Link">Link</a></h2>{PROSE}'
    )
    assert [part.path for part in found.sections] == [
        ("json — Encoder",),
        ("json — Encoder", "More"),
    ]


def test_page_heading_has_the_id_that_leads_to_it() -> None:
    """Also from a section around a title block, and from a mark before it."""
    found = article(
        '<div class="sect1" id="one"><div class="titlepage"><div><h2>One</h2></div></div>1</div>'
        '<section id="two"><span id="label"></span><h2>Two</h2>2</section>'
        '<a name="three"></a><h2>Three</h2><p>3</p>'
        '<div id="no"><p>text</p><h2>Four</h2>4</div>'
    )
    assert [part.anchor for part in found.sections if part.path] == ["one", "two", "three", ""]


def test_page_notes_open_no_section() -> None:
    """Text after a box stands under the heading before it."""
    found = article(
        '<h2>Head</h2><div class="note"><h3 class="title">Note</h3><p>Mind.</p></div><p>After.</p>'
        '<div class="admonition tip"><p class="admonition-title">Tip</p><p>Try.</p></div>'
    )
    assert outline(found) == [(("Head",), "", "**Note**\nMind.\nAfter.\n**Tip**\nTry.")]


@pytest.mark.req("RAG-3")
def test_page_documented_objects_are_sections() -> None:
    """A function and a method have a section, whose link leads to them; then the text goes on."""
    signature = (
        '<dt class="sig" id="{0}"><em>{3}</em><span class="descclassname">{1}</span>'
        '<span class="descname">{2}</span><span class="sig-paren">(</span>a=1<span>)</span>'
        '<a class="headerlink" href="#{0}">¶</a></dt>'
    )
    method = f"<dl>{signature.format('m.C.f', '', 'f', '')}<dd><p>Does.</p></dd></dl>"
    found = article(
        '<section id="use"><h2>Use</h2>'
        f"<dl>{signature.format('m.C', 'm.', 'C', 'class ')}<dd><p>Is.</p>{method}<p>Was.</p></dd>"
        "</dl><p>After.</p></section><h2>End</h2><p>x</p>"
    )
    assert outline(found) == [
        (("Use", "m.C()"), "m.C", "```\nclass m.C(a=1)\n```\nIs."),
        (("Use", "m.C()", "f()"), "m.C.f", "```\nf(a=1)\n```\nDoes."),
        (("Use", "m.C()"), "m.C", "Was."),
        (("Use",), "use", "After."),
        (("End",), "", "x"),
    ]


@pytest.mark.req("RAG-3")
def test_page_long_definitions_with_ids_are_sections() -> None:
    """An option that much is said of is looked up by itself."""
    found = article(
        f'<h2>Options</h2><dl><dt id="opt-a"><code>a</code> (int)</dt><dd><p>{LONG}</p></dd>'
        "<dt>b</dt><dd>Short.</dd></dl>"
    )
    assert outline(found) == [
        (("Options", "a (int)"), "opt-a", LONG.strip()),
        (("Options", "b"), "", "Short."),
    ]


def test_page_short_definitions_are_a_list() -> None:
    """Terms with one meaning are named together; code in a meaning stays code."""
    found = article(
        "<h2>Options</h2><dl><dt>-a</dt><dt>--all</dt><dd><p>All of it.</p></dd>"
        "<dt>-b</dt><dd>Not all.</dd><dt>-c</dt><dd><p>So:</p><pre>run -c</pre></dd></dl>"
    )
    (section,) = found.sections
    assert [(block.kind, block.text) for block in section.blocks] == [
        ("text", "- **-a, --all**: All of it."),
        ("text", "- **-b**: Not all."),
        ("text", "**-c**"),
        ("text", "So:"),
        ("fence", "```\nrun -c\n```"),
    ]


@pytest.mark.parametrize(
    "code",
    [
        '<table><tr><td class="linenos"><pre>1\n2</pre><td><pre>a = 1\nb = 2</pre></table>',
        '<pre><span class="lineno">1 </span>a = 1\n<span class="lineno">2 </span>b = 2</pre>',
        "<blockquote><pre>a = 1\nb = 2</pre></blockquote>",
        '<div class="highlight"><button>Copy</button><pre>a = 1\nb = 2</pre></div>',
    ],
)
def test_page_code_is_code_however_it_is_laid_out(code: str) -> None:
    """Without numbers of lines, tables around it, or buttons."""
    (section,) = article(f"<p>x</p>{code}").sections
    assert (section.blocks[1].kind, section.blocks[1].text) == ("fence", "```\na = 1\nb = 2\n```")


def test_page_code_in_a_line_is_on_one_line() -> None:
    """Also that of generators which write it as a span, or over two lines."""
    found = article('<p><code>git\n   log</code> <span class="docutils literal">x_y</span></p>')
    assert found.text == "`git log` `x_y`"


def test_page_layout_tables_are_no_tables() -> None:
    """Columns of lists are read one after the other; tables of data stay tables."""
    columns = "<table><tr><td><ul><li>one</li></ul></td><td><ul><li>two</li></ul></td></tr></table>"
    assert article(columns).text == "- one\n\n- two"
    data = "<table><tr><th>a</th><th>b</th></tr><tr><td><ul><li>x</ul></td><td>y</td></tr></table>"
    assert article(data).text.splitlines()[:2] == ["| a | b |", "| --- | --- |"]


@pytest.mark.req("RAG-2")
def test_page_keeps_short_absolute_links_only() -> None:
    """Other links depend on the page's address, or are longer than their text."""
    far = "https://example.com/" + "x" * 200
    found = article(
        f'<p><a href="https://a.b/c">one</a> <a href="d.html">two</a> <a href="{far}">three</a>'
        ' <a href="javascript:x()">four</a> <a href="https://a.b/"></a></p>'
    )
    assert found.text == "[one](https://a.b/c) two three four"


@pytest.mark.parametrize(
    ("head", "inner", "title"),
    [
        ("<title>Install — Docs</title>", "<h1>Install</h1>", "Install"),
        ("<title>Docs</title>", "<h1>Install</h1>", "Install"),
        ("<title>Install — Docs</title>", "<h2>Install</h2>", "Install"),
        ("<title>Logging</title>", "<h1>1. Overview</h1><p>x</p><h1>2. Use</h1>", "Logging"),
        ("<title>Logging</title>", "<h1>1. Overview</h1>", "Logging"),
        ("<title>5. Packages — Docs</title>", "<h1>5. Packages</h1>", "5. Packages"),
        ("", "<h2>Install</h2>", "Install"),
    ],
)
def test_page_title_is_the_heading_of_all(head: str, inner: str, title: str) -> None:
    """The head of a page often names the site as well, and a first part is not the whole."""
    assert article(f"{inner}{PROSE}", head).title == title


IN_ENGLISH = "https://example.com/docs/en/own"


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        (
            '<link rel="canonical" href="https://example.com/docs/own">',
            "https://example.com/docs/own",
        ),
        ('<link rel="Canonical" href="/docs/page/">', "https://example.com/docs/page/"),
        ('<base href="/docs/en/"><link rel="canonical" href="own">', IN_ENGLISH),
        # On a host of many authors these are somebody else's.
        ('<link rel="canonical" href="/own">', ""),
        ('<link rel="canonical" href="/~bob/page.html">', ""),
        ('<link rel="canonical" href="/docs/../~bob/page.html">', ""),
        ('<link rel="canonical" href="/docs/%2E%2e/~bob/page.html">', ""),
        ('<link rel="canonical" href="http://example.com/docs/page.html">', ""),
        ('<link rel="canonical" href="https://other.com/own">', ""),
        ('<link rel="canonical" href="https://example.com.other.com/own">', ""),
        ('<link rel="canonical" href="file:///etc/passwd">', ""),
        ('<link rel="canonical" href="https://[broken">', ""),
        ("", ""),
    ],
)
def test_page_names_its_own_address(head: str, canonical: str) -> None:
    """Of the host and the directory that it came from, or not at all."""
    assert article(PROSE, head).canonical_url == canonical


@pytest.mark.parametrize(
    ("url", "named", "is_own"),
    [
        ("https://example.com/ann?utm=1", "https://example.com/ann", True),
        ("https://example.com/ann", "https://example.com/bob", False),
        ("https://example.com/", "https://example.com/index.html", True),
        ("https://example.com/", "https://example.com/bob", False),
        ("http://example.com/a/b", "https://example.com/a/b", True),
    ],
)
def test_page_at_the_top_of_a_host_is_itself_alone(url: str, named: str, is_own: bool) -> None:  # noqa: FBT001 - a column
    """A page at the root has no directory of its own."""
    head = f'<link rel="canonical" href="{named}">'
    page = f"<html><head>{head}</head><body><article>{PROSE}</article></body></html>"
    assert of(page, url).canonical_url == (named if is_own else "")


def test_page_without_body_tags_is_read() -> None:
    """HTML 5 leaves them out, and begins with its own elements."""
    found = of(f"<!doctype html><title>T</title><main><h1>Head</h1>{PROSE}</main>")
    assert outline(found) == [(("Head",), "", PROSE[3:-4])]


def test_page_of_a_manual_without_marks_keeps_its_structure() -> None:
    """Headings, code and tables of pages that mark no content; the menu before them goes."""
    menu = "<ul>" + "".join(f'<li><a href="{n}.html">Item {n}</a>' for n in range(9)) + "</ul>"
    found = of(
        f"<html><body><div>{menu}</div><div class='sect1' id='a'><h1>Head</h1>{PROSE * 3}"
        f"<pre>code\n  x</pre><table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
        f"<div class='sect2' id='b'><h2>Part</h2>{PROSE * 3}</div></div></body></html>"
    )
    assert "Item" not in found.text
    assert [(part.path, part.anchor) for part in found.sections] == [
        (("Head",), "a"),
        (("Head", "Part"), "b"),
    ]
    assert [block.kind for block in found.sections[0].blocks[3:]] == ["fence", "table"]


def test_page_that_is_a_list_of_links_is_read() -> None:
    """A chapter's first page tells what its sections are."""
    links = "".join(f'<dt><a href="{n}.html">Section {n}</a></dt>' for n in range(9))
    found = of(
        f"<html><body><div><h2>Part</h2><div class='toc'><dl>{links}</dl></div></div></body>"
    )
    assert found.text.count("Section") == 9


def test_class_that_the_page_never_displays_is_hidden() -> None:
    """Unless something on the page may show it."""
    styles = "<style>p{margin:0}\n.off { color: red; display: none }</style>"
    inner = f'{PROSE}<p class="off">Hidden words.</p>'
    assert "Hidden words." not in article(inner, styles).text
    for other in ("<script>1</script>", "<style>@media print{.off{display:block}}</style>"):
        assert "Hidden words." in article(inner, styles + other).text
    assert "Hidden words." in article(f"{inner}<button>More</button>", styles).text
