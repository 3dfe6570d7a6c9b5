"""Citations: a marker in an answer holds only if it names a passage of this turn."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Self, TypedDict, cast

from rich_agent.domain.retrieval.passage import Passage, PassageKind, label_place

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_NUMBERS = r"(?:web:|\^)?\s*+\d{1,4}(?:\s*+[,;、]\s*+(?:(?:web:|\^)\s*+)?\d{1,4})*+"
# Blanks are taken from their first one on: to begin at each of them takes quadratic time.
_LEAD = r"(?<![ \t])[ \t]*+"
_MARKER = re.compile(
    rf"(?P<lead>{_LEAD})(?:\[(?P<a>{_NUMBERS})\]|【(?P<b>{_NUMBERS})[^】\n]{{0,20}}】)"
    r"(?:\([^()\s]*\))?"
)
_OPEN_MARKER = re.compile(rf"{_LEAD}(?:\[[\d\s,;、:^web]{{0,24}}|【[^】\n]{{0,24}})\Z")
_OPEN_LINK = re.compile(rf"{_LEAD}\[{_NUMBERS}\]\([^()\s]*+\Z")
_NUMBER = re.compile(r"(?:(web:)\s*+)?(\d+)")


class CitationState(TypedDict):
    """A `Citation` as JSON, for the graph's state."""

    number: int
    id: str
    kind: PassageKind
    source_url: str
    link: str
    title: str
    section: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that the answer rests on.

    `number` is the marker in the answer's text, 1 for the first; `id` is the chunk id or
    `web:<n>`; `link` opens at the section, or is the page's URL.
    """

    number: int
    id: str
    kind: PassageKind
    source_url: str
    link: str
    title: str
    section: str

    @property
    def label(self) -> str:
        """Where the passage stands, as a reader is told: "Title › Section › Subsection"."""
        return label_place(self.title, self.section, self.source_url)

    def to_state(self) -> CitationState:
        """The citation as JSON."""
        return cast("CitationState", asdict(self))

    @classmethod
    def from_state(cls, value: CitationState) -> Self:
        """The citation that `to_state` wrote."""
        return cls(**value)


@dataclass(frozen=True, slots=True)
class CitedText:
    """A text whose markers are 1, 2, ... in order of first appearance, and what they name."""

    text: str
    citations: tuple[Citation, ...]


class _Renumbering:
    """Gives each passage that is really cited the next number."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._by_id = {passage.id: passage for passage in passages}
        self.cited: list[Passage] = []

    def _find(self, web: str, number: int) -> Passage | None:
        if web:
            return self._by_id.get(f"web:{number}")
        return self._passages[number - 1] if 1 <= number <= len(self._passages) else None

    def replace(self, match: re.Match[str]) -> str:
        """The marker with its new numbers; nothing when it names no passage."""
        numbers = [(web, int(digits)) for web, digits in _NUMBER.findall(match["a"] or match["b"])]
        if self._is_no_marker(match, [number for _, number in numbers]):
            return match[0]
        named = [passage for web, n in numbers if (passage := self._find(web, n))]
        shown = dict.fromkeys(map(self._number_of, named))
        return match["lead"] + "".join(f"[{number}]" for number in shown) if shown else ""

    def _number_of(self, passage: Passage) -> int:
        if passage not in self.cited:
            self.cited.append(passage)
        return self.cited.index(passage) + 1

    def _is_no_marker(self, match: re.Match[str], numbers: Sequence[int]) -> bool:
        """Whether it is an interval or a list; in a text without passages also an index or a link.

        No passage has the number 0.
        """
        if len(numbers) > 1 and 0 in numbers:
            return True
        before = "" if match["lead"] else match.string[max(0, match.start() - 1) : match.start()]
        is_index = before.isalnum() or before == "_"
        return not self._passages and (is_index or len(numbers) > 1 or match[0].endswith(")"))


def _outside_code(text: str, renumbering: _Renumbering) -> str:
    parts: list[str] = []
    position = 0
    for code in _CODE.finditer(text):
        parts += [_MARKER.sub(renumbering.replace, text[position : code.start()]), code[0]]
        position = code.end()
    parts.append(_MARKER.sub(renumbering.replace, text[position:]))
    return "".join(parts)


def resolve_citations(text: str, passages: Sequence[Passage]) -> CitedText:
    """Keep the markers that name one of `passages` (`[n]`, the n-th from 1, or `[web:n]`).

    The kept ones are renumbered in order of first appearance; all others are removed, also from
    a text that had no passages. Code is left as it is.
    """
    renumbering = _Renumbering(passages)
    resolved = _outside_code(text, renumbering)
    return CitedText(resolved, tuple(_cite(n, p) for n, p in enumerate(renumbering.cited, start=1)))


def resolve_unfinished(text: str, passages: Sequence[Passage]) -> CitedText:
    """As `resolve_citations`, of a growing text: a marker still being written is held back."""
    code_end = max((code.end() for code in _CODE.finditer(text)), default=0)
    prose = text[code_end:]
    for pattern in (_OPEN_LINK, _OPEN_MARKER):
        prose = pattern.sub("", prose)
    return resolve_citations(text[:code_end] + prose, passages)


def strip_markers(text: str) -> str:
    """The text without any marker, for later turns: their passages are others."""
    return _outside_code(text, _Renumbering(()))


def _cite(number: int, passage: Passage) -> Citation:
    return Citation(
        number=number,
        id=passage.id,
        kind=passage.kind,
        source_url=passage.source_url,
        link=passage.link or passage.source_url,
        title=passage.title,
        section=passage.section,
    )
