"""Merging of what a turn taught into memory, once, and where a memory came from.

A model says what was said; this module only decides which items a new one replaces.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, Self, get_args

from rapidfuzz import fuzz

from rich_agent.domain.memory.items import (
    MEMORY_KINDS,
    NOW,
    SECRET,
    SINGULAR,
    Holds,
    LongTermMemory,
    MemoryItem,
    MemoryKind,
    Topic,
    key_of,
    mark_of,
    without,
)
from rich_agent.domain.memory.secrets import holds_secret
from rich_agent.domain.repetition import still_in
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.text import HIRAGANA, shorten

Action = Literal["add", "replace", "remove"]
MOST_ITEMS = 200
"""Facts and preferences; the oldest give way, so that a turn costs the same after years."""
MOST_CHARACTERS = 300
"""Of one item: a memory is a sentence, not a document."""

_NEARLY_COPIED = 85
"""Likeness of a part to the nearest place of the message, 0..100, with which it is a slip."""
_TOPICS = frozenset(get_args(Topic))
_NO_TOPIC = "other"

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# With the empty lines before it.
_QUOTED_LINE = re.compile(r"^(?:[^\S\n]*+\n)*+(?:[^\S\n]*+[>＞].*$|(?P<kept>))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Learned:
    """One thing that a message taught, as a model read it.

    `said` is the part of the message that it rests on. `number` is that of the known item which it
    replaces or removes, 0 for none, and `mark` what that item is known by. The rest is as
    `MemoryItem` has it; with `remove`, `text` may be empty.
    """

    kind: MemoryKind
    text: str
    topic: str = ""
    action: Action = "add"
    due: str = ""
    about: str = ""
    holds: Holds = NOW
    language: str = ""
    number: int = 0
    mark: str = ""
    said: str = ""

    def rests_on(self, message: str) -> bool:
        """Whether the message says the part that is named, letter by letter or nearly so.

        Without a part, half the words of the item itself have to stand in the message. A model that
        invents, or repeats the examples of its instructions, so changes nothing.
        """
        languages, part = languages_in(message), self.said.strip()
        terms = terms_in(part or self.text, languages)
        common = terms & terms_in(message, languages)
        if not part:
            return 2 * len(common) >= len(terms) > 0
        likeness = fuzz.partial_ratio(part.casefold(), message.casefold())
        return bool(common) and (3 * len(common) >= 2 * len(terms) or likeness >= _NEARLY_COPIED)

    def in_words_of_message(self) -> Self:
        """The item; in the words that it rests on, where its own have none in common with them.

        A model may put "I like tea" into other words, but not into those of another fact.
        """
        is_removal = self.action == "remove"
        if is_removal or not self.said.strip() or shares_word(self.said, self.text):
            return self
        return replace(self, text=self.said.strip())


@dataclass(frozen=True, slots=True)
class Provenance:
    """When and in which turn something was learned (`at` ISO 8601)."""

    request_id: str
    at: str


def own_words(text: str) -> str:
    """The message without code and quoted lines, which are no words of the user's own."""
    for foreign in (_FENCED, _QUOTED_LINE):
        text = foreign.sub(lambda match: match[0] if match.lastgroup == "kept" else " ", text)
    return text.strip()


def with_marks(lessons: Iterable[Learned], visible_marks: Sequence[str]) -> list[Learned]:
    """Give each learned item the mark of the item that its number means; `visible_marks` from 1."""
    marks = dict(enumerate(visible_marks, start=1))
    return [replace(one, mark=marks.get(one.number, "")) for one in lessons]


def merge(memory: LongTermMemory, lessons: Iterable[Learned], source: Provenance) -> LongTermMemory:
    """The memory after a turn; merging the same again changes nothing.

    An item gives way to a new one that a model says replaces it, that says it again with more
    words ("is not allergic to nuts any more"), or on a topic of which only one holds at a time.
    Nothing else goes but what is removed by number, in its own words, or as the only one on such a
    topic. No secret is kept.
    """
    items = {kind: list(memory.items(kind)) for kind in MEMORY_KINDS}
    news = sorted(lessons, key=lambda one: one.action != "remove")
    for one in news:
        if one.action == "remove":
            _remove(items, one)
        elif key_of(one.text) and one.topic != SECRET and not holds_secret(one.text):
            _add(items[one.kind], one, source)
    return memory.with_items(
        {
            kind: tuple(items[kind] if kind == "tasks" else items[kind][-MOST_ITEMS:])
            for kind in MEMORY_KINDS
        }
    )


def _remove(items: dict[MemoryKind, list[MemoryItem]], lesson: Learned) -> None:
    """Drop one item at most: the one in the same words, else the one meant, else on the topic."""
    words = key_of(lesson.text)
    same = [(kind, item) for kind in items for item in items[kind] if key_of(item.text) == words]
    for kind, item in sorted(same, key=lambda pair: mark_of(*pair) != lesson.mark)[:1]:
        items[kind].remove(item)
        return
    of_kind = items[lesson.kind]
    slot = _slot(lesson.kind, lesson)
    on_topic = [item for item in of_kind if slot and _slot(lesson.kind, item) == slot]
    for item in _target_of(of_kind, lesson) or (on_topic if len(on_topic) == 1 else []):
        of_kind.remove(item)


def _add(of_kind: list[MemoryItem], new: Learned, source: Provenance) -> None:
    item = MemoryItem(
        shorten(new.text, MOST_CHARACTERS),
        source.request_id,
        source.at,
        topic=new.topic,
        due=_date(new.due),
        about=new.about,
        holds=new.holds,
        language=new.language,
    )
    slot, mark = _slot(new.kind, new), mark_of(new.kind, item)
    same = next((old for old in of_kind if mark_of(new.kind, old) == mark), None)
    if same:
        # The same again, which need not tell everything again.
        item = replace(item, due=item.due or same.due, language=item.language or same.language)
        if (item.holds, item.due, item.language) == (same.holds, same.due, same.language):
            item = same
    target = _target_of(of_kind, new) if new.action == "replace" else []
    obsolete = [
        old
        for old in of_kind
        if mark_of(new.kind, old) == mark
        or (slot and _slot(new.kind, old) == slot)
        or (old in target and _may_replace(item, old))
        or _says_again(new.kind, item, old)
    ]
    # What the same turn taught is put right in its place, so that the same again changes nothing.
    own = [old for old in obsolete if old.request_id == source.request_id]
    if item is not same and own:
        of_kind[of_kind.index(own[0])] = item
    elif item is not same:
        of_kind.append(item)
    of_kind[:] = [one for one in of_kind if one is item or one not in obsolete]


def _slot(kind: MemoryKind, item: MemoryItem | Learned) -> str:
    """The topic of what holds of the user now, where only one can; "" for anything else."""
    is_the_users = not item.about and item.holds == NOW
    return item.topic if is_the_users and item.topic in SINGULAR[kind] else ""


def _target_of(of_kind: Sequence[MemoryItem], new: Learned) -> list[MemoryItem]:
    """The item that a model means by its number, if the two have something in common.

    They are on one topic, or share a word. A task may be done in words of its own.
    """
    return [
        item
        for item in of_kind
        if new.mark == mark_of(new.kind, item)
        and not _are_on_two_topics(item, new)
        and (
            new.kind == "tasks"
            or _are_on_one_topic(item, new)
            or shares_word(item.text, f"{new.said} {new.text}")
        )
    ]


def _are_on_two_topics(item: MemoryItem, new: MemoryItem | Learned) -> bool:
    return item.topic != new.topic and {item.topic, new.topic} <= _TOPICS


def _are_on_one_topic(item: MemoryItem, new: MemoryItem | Learned) -> bool:
    return item.topic == new.topic and item.topic in _TOPICS - {_NO_TOPIC}


def _says_again(kind: MemoryKind, new: MemoryItem, old: MemoryItem) -> bool:
    """Whether the new item has all words of the old one, about the same person and time.

    What is denied or told more exactly now is so replaced. One word alone may mean something else
    on another topic. Of tasks both stay: "call Ann" and "call Ann's mother".
    """
    if kind == "tasks" or (new.about, new.holds) != (old.about, old.holds):
        return False
    words, new_words = _bearing(old.text), _bearing(new.text)
    has_all = bool(words) and words <= new_words
    return has_all and (len(words) > 1 or _are_on_one_topic(old, new))


def _may_replace(new: MemoryItem, old: MemoryItem) -> bool:
    """Whether one can take the other's place: a plan, or a word of others, changes nothing yet."""
    is_a_plan = new.holds == "planned" and old.holds == NOW
    return not is_a_plan and bool(new.about) == bool(old.about)


def _date(text: str) -> str:
    """An ISO date, "" for anything else that a model wrote."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return ""


KeptKind = Literal["memory", "thing", "file", "summary", "message"]
_NEARLY_ALL = 0.8
"""Share of the words of a fact in a text that tells it: inflected, it may lack one of five."""
_SHORTEST_STEM = 4
_SENTENCES = re.compile(r".+?(?:[.!?。！？](?=\s|$)|[。！？]|\n|$)\s*", re.DOTALL)
_HIRAGANA = re.compile(rf"[{HIRAGANA}]")


def terms_of(text: str) -> frozenset[str]:
    """The terms of a fact or of a text, all as of one language: their forms are compared here."""
    return terms_in(text, frozenset())


@dataclass(frozen=True, slots=True)
class KeptText:
    """Something that is kept: an item of the memory, a task or note, a file, a sentence, a turn.

    `key` is the item's mark, the name of the task or note, the file's id, the sentence of the
    summary itself, or the turn's id.
    `taught_by` is the turn that taught an item. `text` is all that it says, `terms` its words,
    `shown` what a person needs to know it again.
    """

    kind: KeptKind
    key: str
    text: str
    shown: str
    terms: frozenset[str]
    taught_by: str = ""


@dataclass(frozen=True, slots=True)
class Traces:
    """Signs that a text tells something: facts, and single words, as terms of each."""

    facts: tuple[frozenset[str], ...] = ()
    words: tuple[frozenset[str], ...] = ()

    @classmethod
    def of(cls, words: Iterable[str], facts: Iterable[str] = ()) -> Self:
        """The traces of these words, and of facts that are remembered in so many words."""
        return cls(
            tuple(filter(None, map(terms_of, facts))),
            tuple(filter(None, map(_bearing, words))),
        )

    def occur_in(self, text: str) -> bool:
        """Whether the text holds nearly all words of a fact; one word alone tells too little."""
        return self.occur_among(terms_of(text))

    def count_in(self, text: str) -> int:
        """Count the words that stand in the text, in one of their forms."""
        return self.count_among(terms_of(text))

    def occur_among(self, terms: Collection[str]) -> bool:
        """`told_in` of a text's terms."""
        return any(
            len(fact) > 1 and sum(_stands_in(t, terms) for t in fact) >= _NEARLY_ALL * len(fact)
            for fact in self.facts
        )

    def count_among(self, terms: Collection[str]) -> int:
        """`named_in` of a text's terms."""
        return sum(all(_stands_in(term, terms) for term in word) for word in self.words)


def sentences_of(summary: str) -> list[str]:
    """The sentences of a summary, each with the space behind it."""
    return _SENTENCES.findall(summary)


def forget(
    memory: LongTermMemory, marks: Collection[str], traces: Traces, sentences: Collection[str] = ()
) -> LongTermMemory:
    """The memory without the items that have these marks.

    These sentences of the conversation's summary go too, and those that tell one of the facts.
    """
    summary = "".join(
        sentence
        for sentence in sentences_of(memory.conversation_summary)
        if sentence.strip() not in sentences and not traces.occur_in(sentence)
    )
    return replace(
        without(memory, *marks),
        conversation_summary=summary.strip(),
        summary_words=still_in(summary, memory.summary_words),
    )


def shares_word(text: str, other: str) -> bool:
    """Whether a word that carries a meaning stands in both, in one of its forms.

    Of text without spaces between words, two characters in a row.
    """
    other_terms = _bearing(other)
    return any(_stands_in(term, other_terms) for term in _bearing(text) if len(term) > 1)


def _bearing(word: str) -> frozenset[str]:
    """The terms that carry a word's meaning: of Japanese not its endings, where it has others."""
    terms = terms_of(word)
    return frozenset(term for term in terms if not _HIRAGANA.search(term)) or terms


def _stands_in(term: str, terms: Collection[str]) -> bool:
    """Whether a term stands there, or an inflected form: two thirds of it from its beginning."""
    if term in terms:
        return True
    if len(term) < _SHORTEST_STEM:
        return False
    start = term[:_SHORTEST_STEM]
    return any(other.startswith(start) and _is_form(term, other) for other in terms)


def _is_form(one: str, other: str) -> bool:
    pairs = zip(one, other, strict=False)
    common = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    return 3 * common >= 2 * max(len(one), len(other))
