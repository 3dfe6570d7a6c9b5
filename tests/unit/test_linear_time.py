"""Nothing that reads text from outside takes more than time in proportion to the text.

Every pattern is tried with every text that its parse tree suggests, 140,000 in all. An earlier form
of this test drew a handful of texts for each, and so never tried a run of marks on the pattern that
read one again from each of them. A pattern that `tests/linear_patterns.txt` lists was tried before,
in the same way and with the same engine.
"""

import faulthandler
import re
from collections.abc import Iterator

import pytest

from rich_agent.documents.extract.plain import decode
from tests.growth import (
    LENGTH,
    LINEAR,
    MOST_GROWTH,
    Work,
    growth_of,
    mark_of,
    pattern_works,
    steep_ones,
    steep_patterns,
)
from tests.hostile_text import Pump, pumps_for
from tests.text_functions import steep_functions, text_works

PARTS = 2
"""So that they run side by side; `python -m tests.text_functions 400` tries more."""
PUMPS = 14
"""For each function."""
_HANGS_S = 240.0
_SURELY_STEEP_S = 0.05
"""For 2,000 characters; a linear pattern takes less than a hundredth of it."""
_BY_NAME = {
    "rich_agent.graph.answer.material.fit_slots(name)",
    "rich_agent.rendering.notices.say_at(key)",
}
"""Parameters that name a prompt or a phrase of ours, and are no text."""
_OLD = {
    "numbers of a marker": (
        r"\[(?:web:|\^)?\s*\d{1,4}(?:\s*[,;、]\s*(?:web:|\^)?\s*\d{1,4})*\]\([^()\s]*\Z"
    ),
    "rule of a table": r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-*:?\s*)*\Z",
    "host": r"(?<![a-z0-9_.@-])(?:[a-z0-9][a-z0-9_~-]*[.．。｡])+(?:xn--[a-z0-9-]+|[a-z]{2,24})",
    "announced photo": r"(?=.*\b(send|show|share)\b).*\b(photos?|pictures?)\b",
    "drawn-out kana": r"(?<=[ぁ-んァ-ン])[ーっッぁぇぉ]+(?= |$)",
    "quoted lines": r"(?m)^\s*[>＞].*$",
    "title of a front matter": r"(?im)^title\s*[:=]\s*(.+?)\s*$",
    "formula": r"(?<!\\)(?:\\\((?P<inline>(?:(?!\n\s*\n)[^$])+?)\\\))",
    "number in kanji": r"(?:\d[\d,.]*)?[〇零一二三四五六七八九十百千万億兆][\d,.]*",
    "trailing blanks": r"[ \t]*\[\d\]",
    "password": r"(\w+://[^\s:/@]+:)[^\s@]+@",
    "end of a sentence": (
        r"(?:[.!?…।؟]+[\"'”’»)*_]*(?:[ \t]?(?:\[[\d,; \t:web^]{1,20}\]|【[^】\n]{1,20}】))*(?=\s)"
        r"|[。！？]+[」』）)*_]*(?:[ \t]?(?:\[[\d,; \t:web^]{1,20}\]|【[^】\n]{1,20}】))*)"
    ),
    "possessive run of marks": r"[.!?…।؟]++(?=\s)",
    "key between dashes": r"\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}",
}


@pytest.fixture(autouse=True)
def _ended_when_it_hangs() -> Iterator[None]:
    """A signal ends a match; code that heeds no signal ends this process, and so the test."""
    faulthandler.dump_traceback_later(_HANGS_S, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.costs("it imports every module, and tries each new pattern")
@pytest.mark.parametrize("part", range(PARTS))
def test_patterns_grow_no_worse_than_their_text(part: int) -> None:
    """Each compiled pattern, as it is called, on texts made from its own parse tree."""
    assert len(list(pattern_works())) > 150
    linear = frozenset(LINEAR.read_text("utf-8").split())
    assert [str(steep) for steep in steep_patterns(part=part, parts=PARTS, but=linear)] == []


def test_pattern_that_changes_is_tried_again() -> None:
    """Another pattern, flag or way of reading has another mark."""
    works = [
        (Work("module.NAME.finditer", len), re.compile("a+")),
        (Work("module.NAME.match", len), re.compile("a+")),
        (Work("module.NAME.finditer", len), re.compile("a++")),
        (Work("module.NAME.finditer", len), re.compile("a+", re.IGNORECASE)),
    ]
    assert len({mark_of(work, pattern) for work, pattern in works}) == len(works)
    renamed = Work("elsewhere.OTHER.finditer", len)
    assert mark_of(renamed, re.compile("a+")) == mark_of(*works[0])


@pytest.mark.costs("it tries each function that reads a text")
def test_text_functions_grow_no_worse_than_their_text() -> None:
    """Each public function that reads a text, whatever else it needs."""
    works, unreached = text_works()
    assert len(works) > 100
    assert {one.partition(":")[0] for one in unreached} <= _BY_NAME, unreached
    assert [str(steep) for steep in steep_functions(PUMPS)] == []


def test_text_functions_put_no_long_run_of_marks_in_order() -> None:
    """Unicode sorts the marks on a letter, which takes quadratic time; nobody writes so many."""
    marks = [Pump("a", pump, "") for pump in ("\u0301\u0316", "\uff9e\u0334", "\u093c\u0334")]
    works, _ = text_works()
    steep = [w.name for w in works for pump in marks if growth_of(w, pump) > MOST_GROWTH]
    assert steep == []


@pytest.mark.costs("a steep pattern takes long")
@pytest.mark.parametrize("pattern", _OLD.values(), ids=_OLD)
def test_steep_ones_are_found_by_their_own_parse_tree(pattern: str) -> None:
    """Patterns that froze the bot once, exponential and quadratic ones."""
    compiled = re.compile(pattern, re.IGNORECASE)
    work = Work("old", lambda text: sum(1 for _ in compiled.finditer(text)))
    pumps = pumps_for(pattern, re.IGNORECASE)
    assert steep_ones([(work, pumps)], cut_off_s=_SURELY_STEEP_S)


def test_growth_tells_quadratic_from_linear_work() -> None:
    """A loop in a loop grows 64 times on eight times the text, one loop eight times."""
    pump = Pump("", "a", "")
    once = growth_of(Work("linear", lambda text: [ord(c) for c in text * 40]), pump)
    # Of a longer text, so that what begins a run does not count.
    twice = growth_of(
        Work("quadratic", lambda text: [c for n in range(len(text)) for c in text[:n:8]]),
        pump,
        length=3 * LENGTH,
    )
    assert once < MOST_GROWTH < twice


def test_decode_takes_no_codec_that_is_no_charset() -> None:
    """Python reads punycode in quadratic time; no page is written in it."""
    assert decode(b"plain-", "punycode", is_html=False) == "plain-"
