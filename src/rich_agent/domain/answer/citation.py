"""Citations: a marker in an answer counts only if it names a passage of this turn."""

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
"""The most blanks before a marker that are removed with it."""
_OPEN_MARKER = re.compile(r"(?:\[[\d\s,;、:^web]{0,24}|【[^】\n]{0,24})\Z")
_OPEN_LINK = re.compile(rf"\[{_NUMBERS}\]\([^()\s]{{0,500}}+\Z")
# The end of a text that further characters may turn into a marker, or extend by an address.
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
    """A passage that the answer cites."""

    number: int
    """The number of its marker in the answer's text, from 1."""
    id: str
    """The id of the chunk, or `web:<n>`."""
    kind: PassageKind
    source_url: str
    link: str
    """The address of the section, or of the page."""
    title: str
    section: str

    @property
    def label(self) -> str:
        """The place of the passage for a reader: "Title › Section › Subsection"."""
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
    """A text whose markers are numbered from 1 in order of appearance, and its citations."""

    text: str
    citations: tuple[Citation, ...]


class _Renumbering:
    """Gives each cited passage the next number."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._by_id = {passage.id: passage for passage in passages}
        self.cited: list[Passage] = []

    def _find(self, web: str, marker_number: int) -> Passage | None:
        """The passage that a marker names, None if there is none."""
        if web:
            return self._by_id.get(f"web:{marker_number}")
        return (
            self._passages[marker_number - 1] if 1 <= marker_number <= len(self._passages) else None
        )

    def copy(self) -> "_Renumbering":
        """A copy whose further numbers do not change this one."""
        copied_numbers = _Renumbering(self._passages)
        copied_numbers.cited = [*self.cited]
        return copied_numbers

    def citations(self) -> tuple[Citation, ...]:
        """The citations by their new numbers."""
        return tuple(_cite(number, passage) for number, passage in enumerate(self.cited, start=1))

    def replace(self, match: re.Match[str]) -> str:
        """The markers with new numbers for a match; "" if it names no passage."""
        numbers = [(web, int(digits)) for web, digits in _NUMBER.findall(match["a"] or match["b"])]
        if self._is_no_marker(match, [number for _, number in numbers]):
            return match[0]
        named_passages = [
            passage for web, marker_number in numbers if (passage := self._find(web, marker_number))
        ]
        new_numbers = dict.fromkeys(map(self._number_of, named_passages))
        return "".join(f"[{number}]" for number in new_numbers)

    def _number_of(self, passage: Passage) -> int:
        """The new number of a passage."""
        if passage not in self.cited:
            self.cited.append(passage)
        return self.cited.index(passage) + 1

    def _is_no_marker(self, match: re.Match[str], numbers: Sequence[int]) -> bool:
        """Whether the match is an interval or a list with 0, which no passage has as its number.

        In a text without passages, it may also be an index, a list or a link.
        """
        if len(numbers) > 1 and 0 in numbers:
            return True
        previous_character = match.string[max(0, match.start() - 1) : match.start()]
        is_index = previous_character.isalnum() or previous_character == "_"
        return not self._passages and (is_index or len(numbers) > 1 or match[0].endswith(")"))


def _without_blanks(text: str, start: int, end: int) -> int:
    """The position at which the blanks before `end` start."""
    search_start = max(start, end - _MOST_BLANKS)
    return search_start + len(text[search_start:end].rstrip(" \t"))


def _outside_code(text: str, renumbering: _Renumbering, start: int = 0, end: int = -1) -> str:
    """The text from `start` to `end`, with markers replaced except in code."""
    end = len(text) if end < 0 else end
    text_parts: list[str] = []
    for code in _CODE.finditer(text, start, end):
        text_parts += [*_replace_markers(text, renumbering, start, code.start()), code[0]]
        start = code.end()
    return "".join([*text_parts, *_replace_markers(text, renumbering, start, end)])


def _replace_markers(text: str, renumbering: _Renumbering, start: int, end: int) -> Iterator[str]:
    """Yield the text between markers, and the new markers."""
    for marker in _MARKER.finditer(text, start, end):
        new_marker = renumbering.replace(marker)
        yield text[
            start : marker.start() if new_marker else _without_blanks(text, start, marker.start())
        ]
        yield new_marker
        start = marker.end()
    yield text[start:end]


def resolve_citations(text: str, passages: Sequence[Passage]) -> CitedText:
    """Keep the markers that name one of `passages`, as `[n]` (from 1) or `[web:n]`.

    Kept markers are renumbered in order of appearance. All others are removed, also if there are no
    passages. Code stays as it is.
    """
    renumbering = _Renumbering(passages)
    resolved_text = _outside_code(text, renumbering)
    return CitedText(resolved_text, renumbering.citations())


class GrowingCitations:
    """A text while it is written, with markers as by `resolve_citations`.

    `open` is the end of the text as it looks now, without a marker that is still being written.
    Text that can no longer change is read only once.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._renumbering = self._shown = _Renumbering(passages)
        self._text = self.open = ""
        self._read = 0
        self._is_block = False

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of the text so far."""
        return self._shown.citations()

    def feed(self, piece: str) -> str:
        """Add a piece; return the further text that can no longer change.

        The text after it is in `open`.
        """
        self._text += piece
        settled_parts = [self._settle()]
        while self._is_block and len(self._text) > self._read + 2:
            settled_parts.append(self._settle())
        text, self._shown = self._text, self._renumbering.copy()
        if self._is_block:
            self.open = text[self._read :]
        else:
            end = self._end_before_open(text, len(text), _OPEN_LINK, _OPEN_MARKER)
            self.open = _outside_code(text, self._shown, self._read, end)
        # One character is kept: after a word, brackets may be no marker.
        kept_from = max(0, self._read - 1)
        self._text, self._read = text[kept_from:], self._read - kept_from
        return "".join(settled_parts)

    def _settle(self) -> str:
        """Take the text that can no longer change, up to the start or end of a block of code."""
        text, start = self._text, self._read
        if self._is_block:
            closing = text.find("```", start)
            self._read = closing + 3 if closing >= 0 else max(start, len(text) - 2)
            self._is_block = closing < 0
            return text[start : self._read] + ("" if self._is_block else self._settle())
        code_matches = [*_CODE.finditer(text, start)]
        if code_matches and code_matches[-1].end() == len(text):
            settled_end = code_matches[-1].start()
            self._is_block = code_matches[-1][0].startswith("```")
        else:
            open_code = _OPEN_CODE.search(text, code_matches[-1].end() if code_matches else start)
            settled_end = open_code.start() if open_code else len(text)
        if not self._is_block:
            settled_end = _without_blanks(
                text, start, self._end_before_open(text, settled_end, _UNSURE)
            )
        self._read = settled_end + 3 if self._is_block else settled_end
        fence = text[settled_end : self._read]
        return _outside_code(text, self._renumbering, start, settled_end) + fence

    def _end_before_open(self, text: str, end: int, *open_patterns: re.Pattern[str]) -> int:
        """The start of an open marker at the end, with its blanks; without one, the end."""
        codes = _CODE.finditer(text, self._read, end)
        prose_start = max((code.end() for code in codes), default=self._read)
        for pattern in open_patterns:
            if match := pattern.search(text, prose_start, end):
                end = _without_blanks(text, prose_start, match.start())
        return end


def resolve_growing_text(text: str, passages: Sequence[Passage]) -> CitedText:
    """Resolve citations in a text that may end anywhere; an unfinished marker is left out."""
    growing_citations = GrowingCitations(passages)
    settled_text = growing_citations.feed(text)
    return CitedText(settled_text + growing_citations.open, growing_citations.citations)


def strip_markers(text: str) -> str:
    """The text without markers: the passages of later turns have other numbers."""
    return _outside_code(text, _Renumbering(()))


def _cite(marker_number: int, passage: Passage) -> Citation:
    """The citation of a passage under a number."""
    return Citation(
        number=marker_number,
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
    """A button for a chat command; `command` has its arguments, but no slash."""

    text: str
    command: str

    def to_state(self) -> CommandOfferState:
        """The offer as JSON for the graph's state."""
        return {"text": self.text, "command": self.command}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as the user reads it: Markdown with markers `[n]`, and its citations."""

    text: str
    citations: tuple[Citation, ...] = ()
    worth_rating: bool = True
    """False for small talk, and for mere notices such as that nothing was written."""
    is_cut: bool = False
    """Whether the text ended early: too long, too late, or repeating itself."""
    locale: str | None = field(default=None, compare=False)
    """The language of the product's sentences around it, None if the surface knows it."""
    undo: str = ""
    """The request whose changes the user can undo, "" without any."""
    attachments: tuple[Attachment, ...] = ()
    """Pictures below the answer, on surfaces with pictures."""
    files: tuple[int, ...] = ()
    """The ids of files that the user may choose to keep."""
    commands: tuple[CommandOffer, ...] = ()
    """Commands that are offered as buttons below the answer."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The record of how one turn was answered."""

    thread_id: str
    request_id: str
    intent: str
    plan: str
    reason: str
    query: str = ""
    """The whole question as it was searched for."""
    retrieved_count: int = 0
    citations_count: int = 0
    latency_ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds by node."""
    nodes: dict[str, Any] = field(default_factory=dict)
    """The report of each node; see `NodeReport`."""
    retrieved: list[dict[str, Any]] = field(default_factory=list)
    """The passages, best first: `label`, `kind`, `score` (0..1), and whether `cited`."""
    queries: tuple[str, ...] = ()
    """The parts of a compound query, followed by the queries of further rounds."""

    @property
    def rounds(self) -> tuple[Sequence[str], Sequence[str]]:
        """The queries of the first round of searching, and the queries of all later rounds."""
        report = NodeReport.from_json(self.nodes.get(_FURTHER))
        first_count = len(self.queries) - report.counts.get(FURTHER_QUERIES, 0)
        return self.queries[:first_count] or (self.query,), self.queries[first_count:]

    @property
    def guards(self) -> frozenset[str]:
        """The guards of all passages that were read; see `Passage.guards`."""
        return frozenset(guard for passage in self.retrieved for guard in passage.get("guards", ()))

    def open_with(self, readable: AbstractSet[str]) -> "Decision":
        """The decision without passages that need other rights than these.

        If any is left out, so are the queries of further rounds, which a model chose after reading
        it.
        """
        open_passages = still_open(self.retrieved, readable)
        if len(open_passages) == len(self.retrieved):
            return self
        first_queries, _ = self.rounds
        nodes = {node: record for node, record in self.nodes.items() if node != _FURTHER}
        return replace(self, retrieved=open_passages, queries=tuple(first_queries), nodes=nodes)


def still_open(
    passages: Sequence[Mapping[str, Any]], readable: AbstractSet[str]
) -> list[dict[str, Any]]:
    """The passages of a decision whose guards are all in `readable`."""
    return [dict(passage) for passage in passages if readable >= {*passage.get("guards", ())}]
