"""Pages of newspapers, blogs and companies: the article, and nothing that stands around it."""

import pytest

from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument

LEAD = (
    "The harbour council has put off the vote on the new quay once more, after two of its members"
    " asked who would pay for the dredging."
)
STORY = [
    (
        "The quay was to be built from spring on. Engineers had drawn a wall of 400 metres,"
        " behind which the largest ferries could turn without the help of tugs."
    ),
    (
        "What the plan did not say is where the mud should go. The channel fills up by a metre each"
        " year, and the dump of the neighbouring county is closed to ships since August."
    ),
    (
        "The council meets again in three weeks. Until then the port authority wants to ask four"
        " companies for their prices, and the county for a new dump beyond the islands."
    ),
]
HEAD = '<title>Vote put off | Harbour Post</title><meta property="og:type" content="article">'
RELATED = "".join(
    f'<li><a href="/{number}"><h3>Another story of the week, number {number}</h3></a></li>'
    for number in range(6)
)


def text_of(body: str, head: str = HEAD) -> str:
    """The text that is extracted from a page."""
    page = f"<html><head>{head}</head><body>{body}</body></html>"
    return extract(RawDocument("https://example.com/a", page.encode(), "text/html")).text


def story(between: str = "") -> str:
    """The paragraphs of the article, with something after the first."""
    first, *others = (f"<p>{paragraph}</p>" for paragraph in STORY)
    return first + between + "".join(others)


def test_page_article_is_without_what_stands_in_its_element_too() -> None:
    """Links to other stories between the paragraphs, comments and teasers after them."""
    read_more = '<p><a href="/x">Read more: how the old quay was built, and who paid for it</a></p>'
    comments = '<div class="comments"><h2>Comments</h2><p>Nobody needs that quay at all.</p></div>'
    found = text_of(
        f"<article><h1>Vote put off</h1><p>{LEAD}</p>{story(read_more)}{comments}"
        f"<h2>More on this</h2><ul>{RELATED}</ul></article>"
    )
    assert found == "\n\n".join([LEAD, *STORY])


def test_page_article_is_without_boxes_that_are_empty_but_for_their_own_boxes() -> None:
    """The rest of a box goes with its last words, and once."""
    box = "<div><p>Subscribe!</p><div><p></p><ul><li></li></ul></div></div>"
    found = text_of(f"<div><article><h1>Vote put off</h1>{story()}</article>{box}</div>")
    assert found == "\n\n".join(STORY)


@pytest.mark.parametrize("main", ["<main></main>", "<main><h2>News</h2></main>"])
def test_page_content_is_not_sought_in_an_empty_main(main: str) -> None:
    """The element that some sites mark as their content is a slot that a script fills."""
    body = f"{main}<div><h1>Vote put off</h1>{story()}</div>"
    assert STORY[-1] in text_of(body)
    documentation = f"{main}<div><h1>Vote</h1>{story()}<pre>make quay</pre></div>"
    assert STORY[-1] in text_of(documentation, "")


@pytest.mark.parametrize("holder", ["form", "header", "noscript"])
def test_page_content_is_found_in_any_element(holder: str) -> None:
    """Also in the form that holds all of a page, and in what was never closed."""
    assert STORY[-1] in text_of(f"<{holder}><div><h1>Vote</h1>{story()}</div></{holder}>")


def test_page_article_keeps_the_form_of_the_page() -> None:
    """Tables and links are those of the page, and the standfirst stays above the first picture."""
    table = "<table><tr><th>Year</th><th>Metres</th></tr><tr><td>2024</td><td>1.1</td></tr></table>"
    body = (
        f"<article><h1>Vote put off</h1><p>{LEAD}</p>"
        f"{story(table)}<p>The port has <a href='https://example.com/plan'>a plan</a>, which is"
        " forty pages long and says little of the mud that lies in the channel.</p></article>"
    )
    found = text_of(body)
    assert LEAD in found
    assert "| 2024 | 1.1 |" in found
    assert "[a plan](https://example.com/plan)" in found


def test_page_documentation_is_kept_whole() -> None:
    """Short code, lists of links and notes, which an article would not have, are the content."""
    body = (
        "<nav><a href='/'>Home</a></nav><main><h1>Install</h1><p>Run it.</p><pre>make</pre>"
        f"{story()}<h2>See also</h2><ul><li><a href='/u'>Using it from other programs</a></li>"
        "</ul></main><footer>Imprint</footer>"
    )
    found = text_of(body, "<title>Install</title>")
    assert found.startswith("Run it.\n\n```\nmake\n```")
    assert found.endswith("## See also\n\n- Using it from other programs")


def test_page_documentation_is_without_the_line_that_leads_on() -> None:
    """As Texinfo writes it, with words between its links."""
    line = 'Next: <a href="b" rel="next">Words</a>, Up: <a href="." rel="up">Manual</a>'
    found = text_of(f"<div><p>{line}</p></div><h1>Use</h1><p>Run it.</p><pre>make</pre>", "")
    assert found == "Run it.\n\n```\nmake\n```"


def test_page_article_is_found_in_an_element_that_is_named_like_navigation() -> None:
    """Most of the prose of a page leads nowhere, whatever its class says."""
    body = f"<h1>Vote put off</h1><div class='body pagination-first'>{story() * 3}</div>"
    rest = "<p>Subscribe to the paper.</p><div class='pagination'><p>Page 1 of 2</p></div>"
    found = text_of(body + rest)
    assert "\n\n".join(STORY) in found
    assert "Page 1" not in found


def test_page_consent_is_no_text_however_long_it_is() -> None:
    """It is longer than the texts of many pages."""
    consent = "<p>We and our partners store data that you may refuse.</p>" * 40
    assert text_of(f"<div class='cookie-consent'>{consent}</div>{story()}") == "\n\n".join(STORY)


def links_to_classes(count: int) -> str:
    """The items of a list of so many pages."""
    return "".join(f'<li><a href="{n}.html">Class number {n}</a></li>' for n in range(count))


MEMBERS = "".join(f'<li><code><a href="#m{n}">a_member_{n}</a></code></li>' for n in range(30))


@pytest.mark.parametrize("title", ["<h1>Reference</h1>", ""])
def test_page_of_a_reference_is_not_replaced_by_the_list_of_its_pages(title: str) -> None:
    """The list may be longer than the text, have a heading of its own, and stand first."""
    found = text_of(
        f"<div class='list'>{title}<ul>{links_to_classes(90)}</ul></div>"
        "<div class='main'><h1>Quay</h1><p>It opens the quay.</p>"
        f"<h2>Members</h2><ul>{MEMBERS}</ul></div>",
        "<title>Quay</title>",
    )
    assert "It opens the quay." in found
    assert "a_member_7" in found
    assert "Class number" not in found


def test_page_of_a_reference_is_without_the_menu_below_its_title() -> None:
    """A column of links next to the column of text, both under one heading."""
    found = text_of(
        "<div><h1>Quay</h1><div class='row'>"
        f"<div><label>Search:</label><ul>{links_to_classes(9)}</ul></div>"
        f"<div>{story()}<pre>make</pre></div></div><div class='row footer'>Made today</div></div>",
        "<title>Quay</title>",
    )
    assert found == "\n\n".join([*STORY, "```\nmake\n```"])


def test_page_of_a_reference_keeps_all_parts_of_one_kind() -> None:
    """Most of the prose may be in the last of them; the first says what it is about."""
    found = text_of(
        "<div><p>Top | Index</p></div><div class='entry'><div class='part'><h2>About</h2>"
        f"<p>How quays are built.</p></div><div class='part'><h2>Details</h2>{story()}"
        "<pre>make</pre></div></div>",
        "<title>Quay</title>",
    )
    assert "How quays are built." in found


def test_page_of_a_reference_is_more_than_the_one_article_in_it() -> None:
    """Some generators mark each function as an article, and a module may have only one."""
    found = text_of(
        f"<div><h1>quay</h1><section>{story()}</section><h2>Exports</h2>"
        f"<article><p>{LEAD * 2}</p><pre>open_quay()</pre></article></div>",
        "<title>quay</title>",
    )
    assert STORY[0] in found
    assert "open_quay()" in found
