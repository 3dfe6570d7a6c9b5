"""Judges what a bot shows below a message: nobody may read certain things, whatever a model says.

It knows English only, which is all that the small model speaks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from rich_agent.phrases import phrase_keys, say

_MACHINE_WORDS = {
    "a template's token": r"<\|[^|\n]{1,30}\|>|\[/?INST\]|</?s>|## (?:Instruction|Response)",
    "a role": r"(?im)^(?:assistant|user|system|human|model)[ \t]*[:\n]",
    "JSON": r'[{\[]\s{0,9}"[^"\n]{1,60}"\s{0,9}[:,\]]|"[a-z_]{1,40}"\s{0,9}:',
    "a tag": r"</?[A-Za-z][\w:-]{0,40}(?:\s[^<>\n]{0,80})?/?>",
    "a field's name": r"(?<![\w/.])[a-z]{1,30}(?:_[a-z0-9]{1,30}){1,6}(?![\w/.])",
}
_DONE = (
    r"(?:set|added|created|scheduled|saved|noted|put|deleted|cancel+ed|made|booked|updated|marked"
    r"|recorded|removed|stored|sent|reminded|called|notified|arranged|confirmed|completed)"
)
_TO_DO = (
    r"(?:set|add|create|schedule|save|note|put|delete|cancel|book|update|mark|record|remove|store"
    r"|send|remind|call|notify|arrange|confirm)"
)
_THING = r"\b(?:reminder|task|note|event|appointment|alarm)s?\b"
_CLAIMS = (
    rf"\bI(?:['’]ve| have)?(?: just| also| already| now)? {_DONE}\b",
    rf"\bI(?:['’]ll| will|['’]m going to| am going to)(?: also| now| then)? {_TO_DO}\b",
    rf"\b(?:has|have) been (?:successfully )?{_DONE}\b",
    rf"{_THING}[^.!?\n]{{0,60}} (?:is|are|was|were) (?:now |already |successfully )?{_DONE}\b",
    rf"(?m)^\W{{0,4}}(?:Done\b|{_THING} (?:is )?{_DONE}\b)",
    r"\byou will (?:be reminded|(?:get|receive) a reminder)\b",
)
_END = regex.compile(
    r"""(?:[\p{Sentence_Terminal}…:;\p{So}\p{Emoji_Presentation}]|\[\d{1,3}\])"""
    r"""["'”’»)\]*_`\p{Mn}\s]{0,9}(?:\[\d{1,3}\]\s?){0,9}\Z"""
)
_WHOLE_LINE = regex.compile(r"\s{0,9}(?:[-*•|]|\d{1,3}[.)]|https?:|```)")
_RUN = 8
"""Words of a prompt in a row that nobody says by chance."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The messages of a bot below a message, once its turn is over.

    `body` is the text without the product's own lines below it; `versions` are what a user could
    read while it grew; `buttons` are the words on the last one.
    """

    text: str
    body: str
    versions: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()

    @classmethod
    def of(cls, messages: Sequence[Mapping[str, Any]], versions: Sequence[str] = ()) -> "Reply":
        """The reply in these messages of the sandbox."""
        rows = messages[-1]["buttons"] if messages else ()
        return cls(
            text="\n".join(one["text"] for one in messages),
            body="\n".join(_body_of(one["text"], one["entities"]) for one in messages).strip(),
            versions=tuple(versions),
            buttons=tuple(button["text"] for row in rows for button in row),
        )

    @property
    def is_apology(self) -> bool:
        """Whether it is an apology of the product, in place of an answer."""
        return any(sentence in self.text for sentence in _sentences("apology-"))

    @property
    def is_cut(self) -> bool:
        """Whether it is the beginning of an answer, and says so."""
        return any(sentence in self.text for sentence in _sentences("early-end-"))

    def faults(self, *, has_acted: bool) -> Iterator[str]:
        """Faults that nobody may get; `has_acted` if the turn changed anything that is stored."""
        if not self.text.strip():
            yield "nothing was said"
            return
        for text in dict.fromkeys((*self.versions, self.text)):
            yield from _machine_words(text)
        if self.is_growing:
            yield "a stream without an end"
        elif not self.is_apology and not self.is_cut and _is_half(self.body):
            yield f"an answer that stops half-way: {self.body[-40:]!r}"
        excuse = say("en", "planner-failed-note")
        if not has_acted and excuse not in self.text:
            yield from (f"a claim of what was not done: {claim!r}" for claim in _claims(self.body))

    @property
    def is_growing(self) -> bool:
        """Whether it still looks as if more came."""
        is_status = self.text.strip() in _sentences("status-")
        return is_status or say("en", "button-stop") in self.buttons


@dataclass(slots=True)
class Tally:
    """The replies of a talk by kind, and the seconds that each turn took."""

    answers: int = 0
    apologies: int = 0
    cut: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, reply: Reply, took_s: float) -> None:
        """Count a reply as one of the three kinds."""
        self.seconds.append(took_s)
        self.apologies += reply.is_apology
        self.cut += reply.is_cut and not reply.is_apology
        self.answers += not (reply.is_apology or reply.is_cut)

    def report(self, turns: int) -> str:
        """The counts in one line, of a talk of so many turns."""
        return (
            f"{len(self.seconds)} of {turns} turns ended: {self.answers} answers, {self.apologies} "
            f"apologies, {self.cut} cut short that say so; {sum(self.seconds):.0f} s, "
            f"the slowest {max(self.seconds, default=0.0):.0f} s"
        )


def _body_of(text: str, entities: Sequence[Mapping[str, Any]]) -> str:
    """The text without footnotes, which are in italics from end to end, and without its sources."""
    units = text.encode("utf-16-le")
    kept, at = b"", 0
    for entity in sorted(entities, key=lambda one: one["offset"]):
        start, end = 2 * entity["offset"], 2 * (entity["offset"] + entity["length"])
        around = units[max(0, start - 2) : start], units[end : end + 2]
        is_line = all(one in {b"", b"\n\0"} for one in around)
        if entity["type"] == "italic" and is_line:
            kept, at = kept + units[at:start], max(at, end)
    body = (kept + units[at:]).decode("utf-16-le")
    return body.partition(f"\n{say('en', 'sources-heading')}\n")[0]


@cache
def _sentences(prefix: str) -> frozenset[str]:
    """The product's sentences whose keys begin so, as long as they need no value."""
    keys = (key for key in phrase_keys() if key.startswith(prefix))
    return frozenset(filter(None, map(_said, keys)))


def _said(key: str) -> str:
    try:
        return say("en", key)
    except ValueError:
        return ""


def _machine_words(text: str) -> Iterator[str]:
    for kind, pattern in _MACHINE_WORDS.items():
        if match := regex.search(pattern, text):
            yield f"{kind}: {match[0]!r}"
    if run := _words_of_prompts().intersection(_runs(text)):
        yield f"words of a prompt: {' '.join(min(run))!r}"


def _runs(text: str) -> list[tuple[str, ...]]:
    words = regex.findall(r"\w+", text.casefold())
    return [tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]


@cache
def _words_of_prompts() -> frozenset[tuple[str, ...]]:
    folder = files("rich_agent").joinpath("prompts")
    prompts = (one for one in folder.iterdir() if one.name.endswith(".md"))
    return frozenset(run for one in prompts for run in _runs(one.read_text("utf-8")))


def _is_half(body: str) -> bool:
    """Whether a text ends in the middle of a sentence; a line of a list has no mark of its end."""
    lines = body.splitlines()
    return bool(lines) and not _END.search(body) and not _WHOLE_LINE.match(lines[-1])


def _claims(body: str) -> Iterator[str]:
    for pattern in _CLAIMS:
        if match := regex.search(pattern, body, regex.IGNORECASE):
            yield match[0]
