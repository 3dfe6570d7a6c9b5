"""Citations: a marker in an answer holds only if it names a passage of this turn."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self, TypedDict, cast

from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.answer.trace import FURTHER_QUERIES, NodeId, NodeReport
from rich_agent.domain.retrieval.passage import Passage, PassageKind, label_place

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{0,500}+`", re.DOTALL)
_OPEN_CODE = re.compile(r"`[^`\n]{0,500}+\Z")
_NUMBERS = (
    r"(?:web:|\^)?\s{0,9}+\d{1,4}(?:\s{0,9}+[,;、]\s{0,9}+(?:(?:web:|\^)\s{0,9}+)?\d{1,4}){0,20}+"
)
_NAMED = rf"(?:\[(?P<a>{_NUMBERS})\]|【(?P<b>{_NUMBERS})[^】\n]{{0,20}}】)"
_MARKER = re.compile(rf"{_NAMED}(?:\([^()\s]{{0,500}}+\))?")
_MOST_BLANKS = 20
"""So many blanks before a marker go with it."""
_OPEN_MARKER = re.compile(r"(?:\[[\d\s,;、:^web]{0,24}|【[^】\n]{0,24})\Z")
_OPEN_LINK = re.compile(rf"\[{_NUMBERS}\]\([^()\s]{{0,500}}+\Z")
# What the next characters may make a marker, or give an address.
_UNSURE = re.compile(
    r"(?:\[[\d\s,;、:^web]{0,400}+|【[\d\s,;、:^web]{0,400}+[^】\n]{0,24}+"
    rf"|{_NAMED}(?:\([^()\s]{{0,500}}+)?)\Z"
)
_NUMBER = re.compile(r"(?:(web:)\s*+)?(\d+)")
_FURTHER: NodeId = "N14_search_further"


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
        """The place of the passage, as a reader is told: "Title › Section › Subsection"."""
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

    def copy(self) -> "_Renumbering":
        """One that goes on by itself from here."""
        other = _Renumbering(self._passages)
        other.cited = [*self.cited]
        return other

    def citations(self) -> tuple[Citation, ...]:
        """Return the passages that the new numbers name."""
        return tuple(_cite(number, passage) for number, passage in enumerate(self.cited, start=1))

    def replace(self, match: re.Match[str]) -> str:
        """The marker with its new numbers; nothing when it names no passage."""
        numbers = [(web, int(digits)) for web, digits in _NUMBER.findall(match["a"] or match["b"])]
        if self._is_no_marker(match, [number for _, number in numbers]):
            return match[0]
        existing = [passage for web, n in numbers if (passage := self._find(web, n))]
        new_numbers = dict.fromkeys(map(self._number_of, existing))
        return "".join(f"[{number}]" for number in new_numbers)

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
        before = match.string[max(0, match.start() - 1) : match.start()]
        is_index = before.isalnum() or before == "_"
        return not self._passages and (is_index or len(numbers) > 1 or match[0].endswith(")"))


def _without_blanks(text: str, start: int, end: int) -> int:
    """Return the position at which the blanks before `end` begin."""
    first = max(start, end - _MOST_BLANKS)
    return first + len(text[first:end].rstrip(" \t"))


def _outside_code(text: str, renumbering: _Renumbering, start: int = 0, end: int = -1) -> str:
    """The text from `start` to `end` with its markers replaced, and its code as it is."""
    end = len(text) if end < 0 else end
    parts: list[str] = []
    for code in _CODE.finditer(text, start, end):
        parts += [*_replace_markers(text, renumbering, start, code.start()), code[0]]
        start = code.end()
    return "".join([*parts, *_replace_markers(text, renumbering, start, end)])


def _replace_markers(text: str, renumbering: _Renumbering, start: int, end: int) -> Iterator[str]:
    for marker in _MARKER.finditer(text, start, end):
        new_marker = renumbering.replace(marker)
        yield text[
            start : marker.start() if new_marker else _without_blanks(text, start, marker.start())
        ]
        yield new_marker
        start = marker.end()
    yield text[start:end]


def resolve_citations(text: str, passages: Sequence[Passage]) -> CitedText:
    """Keep the markers that name one of `passages` (`[n]`, the n-th from 1, or `[web:n]`).

    The kept ones are renumbered in order of first appearance; all others are removed, also from
    a text that had no passages. Code is left as it is.
    """
    renumbering = _Renumbering(passages)
    result = _outside_code(text, renumbering)
    return CitedText(result, renumbering.citations())


class GrowingCitations:
    """A text while it is written, its markers as `resolve_citations` has them.

    `open` is the end of it as it looks now; a marker still being written is held back. What no
    further text changes is read once.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._renumbering = self._shown = _Renumbering(passages)
        self._text = self.open = ""
        self._read = 0
        self._is_block = False

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The passages that the markers of the text so far name."""
        return self._shown.citations()

    def feed(self, piece: str) -> str:
        """Return the text, from where it ended before, that no further text changes.

        The rest is in `open`.
        """
        self._text += piece
        parts = [self._settle()]
        while self._is_block and len(self._text) > self._read + 2:
            parts.append(self._settle())
        text, self._shown = self._text, self._renumbering.copy()
        if self._is_block:
            self.open = text[self._read :]
        else:
            end = self._end_before_open(text, len(text), _OPEN_LINK, _OPEN_MARKER)
            self.open = _outside_code(text, self._shown, self._read, end)
        # A marker is another thing behind a word: one character of it is kept.
        cut = max(0, self._read - 1)
        self._text, self._read = text[cut:], self._read - cut
        return "".join(parts)

    def _settle(self) -> str:
        """Take what no further text changes, up to where a block of code begins or ends."""
        text, start = self._text, self._read
        if self._is_block:
            closing = text.find("```", start)
            self._read = closing + 3 if closing >= 0 else max(start, len(text) - 2)
            self._is_block = closing < 0
            return text[start : self._read] + ("" if self._is_block else self._settle())
        codes = [*_CODE.finditer(text, start)]
        if codes and codes[-1].end() == len(text):
            sure = codes[-1].start()
            self._is_block = codes[-1][0].startswith("```")
        else:
            opening = _OPEN_CODE.search(text, codes[-1].end() if codes else start)
            sure = opening.start() if opening else len(text)
        if not self._is_block:
            sure = _without_blanks(text, start, self._end_before_open(text, sure, _UNSURE))
        self._read = sure + 3 if self._is_block else sure
        fence = text[sure : self._read]
        return _outside_code(text, self._renumbering, start, sure) + fence

    def _end_before_open(self, text: str, end: int, *open_ones: re.Pattern[str]) -> int:
        """Return the position of the open marker at the end, with its blanks; the end without."""
        codes = _CODE.finditer(text, self._read, end)
        prose = max((code.end() for code in codes), default=self._read)
        for pattern in open_ones:
            if match := pattern.search(text, prose, end):
                end = _without_blanks(text, prose, match.start())
        return end


def resolve_growing_text(text: str, passages: Sequence[Passage]) -> CitedText:
    """As `resolve_citations`, of a text that ends anywhere: an unfinished marker is left out."""
    growing = GrowingCitations(passages)
    beginning = growing.feed(text)
    return CitedText(beginning + growing.open, growing.citations)


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


class CommandOfferState(TypedDict):
    """A `CommandOffer` as JSON."""

    text: str
    command: str


@dataclass(frozen=True, slots=True)
class CommandOffer:
    """A button that gives a chat command, with its arguments and without its slash."""

    text: str
    command: str

    def to_state(self) -> CommandOfferState:
        """The offer as JSON for the graph's state."""
        return {"text": self.text, "command": self.command}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer that the user reads: Markdown with markers `[n]`, and the passages that they name.

    Small talk, and what only says that nothing was written, is not `worth_rating`. `is_cut` when
    it ends before its end: too long, too late, or repeating itself. `locale` is the language of
    the product's words around it, None where the surface has to know. `undo` is the request whose
    changes the user can take back, "" without any. `files` are those that may be remembered.
    `attachments` are drawn below it by surfaces with pictures. `commands`
    are offered below it as buttons.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    worth_rating: bool = True
    is_cut: bool = False
    locale: str | None = field(default=None, compare=False)
    undo: str = ""
    attachments: tuple[Attachment, ...] = ()
    files: tuple[int, ...] = ()
    commands: tuple[CommandOffer, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """The record of one turn's decision.

    `query` is the whole question as it was searched for, `queries` the parts of a compound one,
    then what further rounds looked for; see `rounds`.
    `latency_ms` maps node ids to milliseconds, `nodes` to what went in and came out in a line;
    `retrieved` says of each passage that was read, best first: `label`, `kind`, `score` (0..1) and
    whether it was `cited`.
    """

    thread_id: str
    request_id: str
    intent: str
    plan: str
    reason: str
    query: str = ""
    retrieved_count: int = 0
    citations_count: int = 0
    latency_ms: dict[str, float] = field(default_factory=dict)
    nodes: dict[str, Any] = field(default_factory=dict)
    retrieved: list[dict[str, Any]] = field(default_factory=list)
    queries: tuple[str, ...] = ()

    @property
    def rounds(self) -> tuple[Sequence[str], Sequence[str]]:
        """The queries of the first round of searching, and those of all later ones."""
        report = NodeReport.from_json(self.nodes.get(_FURTHER))
        first = len(self.queries) - report.counts.get(FURTHER_QUERIES, 0)
        return self.queries[:first] or (self.query,), self.queries[first:]

    @property
    def guards(self) -> frozenset[str]:
        """The rights on which what was read depends, as in `Passage.guards`."""
        return frozenset(guard for one in self.retrieved for guard in one.get("guards", ()))

    def open_with(self, readable: AbstractSet[str]) -> "Decision":
        """The decision without passages that need more rights than these.

        What a model looked for when it had read one of those goes with them.
        """
        still = still_open(self.retrieved, readable)
        if len(still) == len(self.retrieved):
            return self
        first, _ = self.rounds
        nodes = {node: record for node, record in self.nodes.items() if node != _FURTHER}
        return replace(self, retrieved=still, queries=tuple(first), nodes=nodes)


def still_open(
    passages: Sequence[Mapping[str, Any]], readable: AbstractSet[str]
) -> list[dict[str, Any]]:
    """Return those of a decision's passages whose guards are all among `readable`."""
    return [dict(one) for one in passages if readable >= {*one.get("guards", ())}]
