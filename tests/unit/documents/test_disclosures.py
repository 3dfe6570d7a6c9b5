"""Panels that open with a click are read with their buttons; menus and dialogs stay closed."""

from pathlib import Path

import pytest

from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument

CASES = Path(__file__).parents[2] / "cases" / "readers"
PROSE = (
    "The pool is a public building at the river. It has four lanes, a slide, and a café that is "
    "open in summer. Families, clubs and schools use it on every day of the year. Guests bring a "
    "towel, and children under six come with an adult, who stays in the water next to them."
)


def text_of(inner: str, *, is_long: bool = True) -> str:
    """The text of a page about a pool with these elements; a long page is read as an article."""
    prose = f"<p>{PROSE}</p>" if is_long else ""
    page = f"<title>Pool</title><body><main><h1>Pool</h1>{prose}{inner}</main></body>"
    raw = RawDocument("https://example.com/pool", page.encode(), "text/html")
    return extract(raw).text.removeprefix(PROSE).strip()


def test_page_cases_are_read_with_their_questions() -> None:
    """Buttons within headings, panels that buttons name, tabs, and text that a search finds."""
    names = ("bootstrap_accordion.html", "aria_accordion.html", "tabs.html", "until2.html")
    texts = {
        name: extract(
            RawDocument(f"https://example.com/{name}", (CASES / name).read_bytes(), "text/html")
        ).text
        for name in names
    }
    assert "Is there a discount for groups?" in texts["bootstrap_accordion.html"]
    assert "## May I pay by card?\n\nCards are taken" in texts["bootstrap_accordion.html"]
    assert "### What does parking cost?\n\nParking costs two" in texts["aria_accordion.html"]
    assert "### Where are the lockers?\n\nThe lockers are" in texts["aria_accordion.html"]
    assert "**Children**\n\nChildren pay three euros." in texts["tabs.html"]
    assert "kept for thirty days" in texts["until2.html"]


ACCORDIONS = {
    "bootstrap-3": '<div role="tablist"><div role="tab"><h4><a role="button" href="#c" '
    'data-toggle="collapse">Is it deep?</a></h4></div><div id="c" class="collapse" '
    'role="tabpanel">Two metres.</div></div>',
    "bootstrap-4": '<h5><button data-toggle="collapse" data-target="#c">Is it deep?</button></h5>'
    '<div id="c" class="collapse">Two metres.</div>',
    "jquery-ui": '<div role="tablist"><h3 role="tab" aria-controls="c">Is it deep?</h3>'
    '<div id="c" role="tabpanel" aria-hidden="true" style="display: none">Two metres.</div></div>',
    "elementor": '<div role="tablist"><div role="tab" aria-controls="c"><a href="">Is it deep?</a>'
    '</div><div id="c" role="tabpanel" hidden="hidden"><p>Two metres.</p></div></div>',
    "material": '<h3><button aria-expanded="false"><span><p>Is it deep?</p></span></button></h3>'
    '<div style="height:0;overflow:hidden"><div role="region"><p>Two metres.</p></div></div>',
    "neighbour": '<button class="accordion">Is it deep?</button><div style="display:none">'
    "<p>Two metres.</p></div>",
    "heading-in-button": '<div role="button" aria-expanded="false" aria-controls="c"><h3>Is it '
    'deep?</h3></div><div id="c" hidden><p>Two metres.</p></div>',
    "check-box": '<input type="checkbox" id="q"><label for="q">Is it deep?</label>'
    '<div style="max-height:0;overflow:hidden"><p>Two metres.</p></div>',
    "details": "<details><summary>Is it deep?</summary><p>Two metres.</p></details>",
}


@pytest.mark.parametrize("is_long", [True, False])
@pytest.mark.parametrize("inner", ACCORDIONS.values(), ids=ACCORDIONS)
def test_page_panels_follow_their_questions(inner: str, is_long: bool) -> None:  # noqa: FBT001 - a column
    """The question is a heading or a bold line, in whatever way the page is made."""
    question, _, answer = text_of(inner, is_long=is_long).partition("\n\n")
    assert question.partition(" {#")[0].strip("#* ") == "Is it deep?"
    assert question.startswith(("#", "**"))
    assert answer == "Two metres."


TABS = {
    "bootstrap": '<ul class="nav"><li><a data-toggle="tab" href="#a">Adults</a></li><li>'
    '<a data-toggle="tab" href="#b">Children</a></li></ul>'
    '<div id="a"><p>Seven euros.</p></div><div id="b" class="fade"><p>Three euros.</p></div>',
    "jquery-ui": '<div id="tabs"><ul><li><a href="#a">Adults</a></li><li><a href="#b">Children</a>'
    '</li></ul><div id="a" class="tab"><p>Seven euros.</p></div><div id="b" style="display:none">'
    "<p>Three euros.</p></div></div>",
    "in-order": '<ul role="tablist"><li role="tab">Adults</li><li role="tab">Children</li></ul>'
    '<div><div role="tabpanel"><p>Seven euros.</p></div><div role="tabpanel" hidden>'
    "<p>Three euros.</p></div></div>",
    "radio": '<input type="radio" name="t" id="r"><label for="r">Adults</label><div><p>Seven '
    'euros.</p></div><input type="radio" name="t" id="s"><label for="s">Children</label>'
    '<div style="display:none"><p>Three euros.</p></div>',
    "labels-first": '<input type="radio" name="t" id="r"><input type="radio" name="t" id="s"><p>'
    '<label for="r">Adults</label><label for="s">Children</label></p><div><div><p>Seven euros.'
    '</p></div><div style="display:none"><p>Three euros.</p></div></div>',
}


@pytest.mark.parametrize("inner", TABS.values(), ids=TABS)
def test_page_tabs_stand_over_their_panels(inner: str) -> None:
    """All panels are read, each under the words of its tab."""
    assert text_of(inner) == "**Adults**\n\nSeven euros.\n\n**Children**\n\nThree euros."


@pytest.mark.parametrize(
    "inner",
    [
        (
            '<button aria-haspopup="true" aria-controls="m">Sort</button><ul id="m" hidden>'
            "<li>By price</li></ul>"
        ),
        '<button data-toggle="dropdown">Language</button><div style="display:none">German</div>',
        '<button aria-controls="m">Open</button><div id="m" role="dialog" hidden>Cookies</div>',
        (
            '<button aria-expanded="false" aria-controls="m">More</button><div id="m" hidden>'
            '<a href="/a">All prices of the pool</a></div>'
        ),
        (
            '<button aria-expanded="false" aria-controls="m">Report</button><div id="m" hidden>'
            "<form>An error <textarea></textarea></form></div>"
        ),
        "<button>Buy now</button>",
        "<div hidden>secret</div><p style='display:none'>secret</p>",
    ],
)
def test_page_menus_and_hidden_text_stay_out(inner: str) -> None:
    """A click opens no text there, or there is no button at all."""
    assert text_of(inner) == ""


def test_page_rest_below_its_button_is_read() -> None:
    """A button below the text that it shows is no heading."""
    inner = '<div id="r" hidden><p>More.</p></div><button aria-controls="r">Read on</button>'
    assert text_of(inner) == "More."
