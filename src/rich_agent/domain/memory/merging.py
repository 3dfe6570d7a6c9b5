"""Merges a turn's lessons into the memory, once, and removes forgotten items.

A model says what the message means; this module decides which items a new one replaces.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, Self, get_args

from rapidfuzz import fuzz

from rich_agent.domain.memory.items import (
    NOW,
    SECRET,
    SINGULAR,
    Holds,
    LongTermMemory,
    MemoryItem,
    Topic,
    key_of,
    mark_of,
    without,
)
from rich_agent.domain.memory.kinds import MEMORY_KINDS, MemoryKind
from rich_agent.domain.memory.secrets import holds_secret
from rich_agent.domain.repetition import still_in
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.text import HIRAGANA, shorten

Action = Literal["add", "replace", "remove"]
MOST_ITEMS = 200
"""The most facts, and the most preferences; the oldest are removed, so that costs stay level."""
MOST_CHARACTERS = 300
"""The most characters of one item: a memory is a sentence, not a document."""

_NEARLY_COPIED = 85
"""The similarity (0..100) to the message from which a quoted part counts as copied with slips."""
_TOPICS = frozenset(get_args(Topic))
_NO_TOPIC = "other"

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# A quoted line with the empty lines before it.
_QUOTED_LINE = re.compile(r"^(?:[^\S\n]*+\n)*+(?:[^\S\n]*+[>＞].*$|(?P<kept>))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Learned:
    """A thing that a message taught, as a model read it."""

    kind: MemoryKind
    text: str
    """The text of the item; it may be empty with `remove`."""
    topic: str = ""
    action: Action = "add"
    due: str = ""
    about: str = ""
    holds: Holds = NOW
    language: str = ""
    number: int = 0
    """The number of the known item that it replaces or removes, 0 for none."""
    mark: str = ""
    """The mark of that item, "" for none."""
    said: str = ""
    """The part of the message that it rests on."""

    def rests_on(self, message: str) -> bool:
        """Whether the message has the part that the model quotes, with slips at most.

        Without a quoted part, half the words of the item have to stand in the message. So a model
        that invents, or repeats examples from its prompt, changes nothing.
        """
        languages, quoted_part = languages_in(message), self.said.strip()
        part_terms = terms_in(quoted_part or self.text, languages)
        common_terms = part_terms & terms_in(message, languages)
        if not quoted_part:
            return 2 * len(common_terms) >= len(part_terms) > 0
        likeness = fuzz.partial_ratio(quoted_part.casefold(), message.casefold())
        return bool(common_terms) and (
            3 * len(common_terms) >= 2 * len(part_terms) or likeness >= _NEARLY_COPIED
        )

    def in_words_of_message(self) -> Self:
        """The item, in the words of the message if its own share none with them.

        A model may rephrase "I like tea", but it may not turn it into another fact.
        """
        is_removal = self.action == "remove"
        if is_removal or not self.said.strip() or shares_word(self.said, self.text):
            return self
        return replace(self, text=self.said.strip())


@dataclass(frozen=True, slots=True)
class Provenance:
    """The turn in which something was learned, and the time (`at`, ISO 8601)."""

    request_id: str
    at: str


def own_words(text: str) -> str:
    """The message without code and quoted lines, which are not the user's own words."""
    for pattern in (_FENCED, _QUOTED_LINE):
        text = pattern.sub(lambda match: match[0] if match.lastgroup == "kept" else " ", text)
    return text.strip()


def with_marks(lessons: Iterable[Learned], visible_marks: Sequence[str]) -> list[Learned]:
    """The learned items with the marks of the items that their numbers mean.

    `visible_marks` are numbered from 1.
    """
    mark_by_number = dict(enumerate(visible_marks, start=1))
    return [replace(lesson, mark=mark_by_number.get(lesson.number, "")) for lesson in lessons]


def merge(memory: LongTermMemory, lessons: Iterable[Learned], source: Provenance) -> LongTermMemory:
    """The memory after a turn; merging the same lessons again changes nothing.

    A new item replaces the one that a model names, one that it repeats with more words ("is not
    allergic to nuts any more"), and one on the same topic if only one can be true. Other items are
    removed only by number, in their own words, or as the single item on such a topic. No secret is
    kept. A lesson about a `fixed` item is left out.
    """
    items_by_kind = {kind: list(memory.items(kind)) for kind in MEMORY_KINDS}
    open_lessons = (one for one in lessons if one.mark not in memory.fixed)
    ordered_lessons = sorted(open_lessons, key=lambda item: item.action != "remove")
    for lesson in ordered_lessons:
        if lesson.action == "remove":
            _remove(items_by_kind, lesson)
        elif key_of(lesson.text) and lesson.topic != SECRET and not holds_secret(lesson.text):
            _add(items_by_kind[lesson.kind], lesson, source)
    return memory.with_items(
        {
            kind: tuple(
                items_by_kind[kind] if kind == "tasks" else items_by_kind[kind][-MOST_ITEMS:]
            )
            for kind in MEMORY_KINDS
        }
    )


def _remove(items: dict[MemoryKind, list[MemoryItem]], lesson: Learned) -> None:
    """Remove one item at most: the one in the same words, else the one meant, else on the topic."""
    text_key = key_of(lesson.text)
    same_text = [
        (kind, item) for kind in items for item in items[kind] if key_of(item.text) == text_key
    ]
    for kind, item in sorted(same_text, key=lambda pair: mark_of(*pair) != lesson.mark)[:1]:
        items[kind].remove(item)
        return
    kind_items = items[lesson.kind]
    topic = _singular_topic(lesson.kind, lesson)
    on_topic = [
        item for item in kind_items if topic and _singular_topic(lesson.kind, item) == topic
    ]
    for item in _target_of(kind_items, lesson) or (on_topic if len(on_topic) == 1 else []):
        kind_items.remove(item)


def _item_of(lesson: Learned, source: Provenance) -> MemoryItem:
    """The item that a lesson adds."""
    return MemoryItem(
        shorten(lesson.text, MOST_CHARACTERS),
        source.request_id,
        source.at,
        topic=lesson.topic,
        due=_date(lesson.due),
        about=lesson.about,
        holds=lesson.holds,
        language=lesson.language,
    )


def _add(kind_items: list[MemoryItem], lesson: Learned, source: Provenance) -> None:
    """Add an item, in place of the items that it makes obsolete."""
    item = _item_of(lesson, source)
    topic, mark = _singular_topic(lesson.kind, lesson), mark_of(lesson.kind, item)
    same_item = next(
        (old_item for old_item in kind_items if mark_of(lesson.kind, old_item) == mark), None
    )
    if same_item:
        # A repetition may leave out details that are known.
        item = replace(
            item, due=item.due or same_item.due, language=item.language or same_item.language
        )
        if (item.holds, item.due, item.language) == (
            same_item.holds,
            same_item.due,
            same_item.language,
        ):
            item = same_item
    replaced_items = _target_of(kind_items, lesson) if lesson.action == "replace" else []
    obsolete = [
        old_item
        for old_item in kind_items
        if mark_of(lesson.kind, old_item) == mark
        or (topic and _singular_topic(lesson.kind, old_item) == topic)
        or (old_item in replaced_items and _may_replace(item, old_item))
        or _says_again(lesson.kind, item, old_item)
    ]
    # An item of the same turn is corrected in its place, so that merging again changes nothing.
    same_turn_items = [
        old_item for old_item in obsolete if old_item.request_id == source.request_id
    ]
    if item is not same_item and same_turn_items:
        kind_items[kind_items.index(same_turn_items[0])] = item
    elif item is not same_item:
        kind_items.append(item)
    kind_items[:] = [
        kept_item for kept_item in kind_items if kept_item is item or kept_item not in obsolete
    ]


def _singular_topic(kind: MemoryKind, item: MemoryItem | Learned) -> str:
    """The topic of an item on which only one can be true of the user now; "" for other items."""
    is_the_users = not item.about and item.holds == NOW
    return item.topic if is_the_users and item.topic in SINGULAR[kind] else ""


def _target_of(kind_items: Sequence[MemoryItem], lesson: Learned) -> list[MemoryItem]:
    """The item that a model's number means, if it shares a topic or a word with the new one.

    A task may be completed in other words.
    """
    return [
        known_item
        for known_item in kind_items
        if lesson.mark == mark_of(lesson.kind, known_item)
        and not _are_on_two_topics(known_item, lesson)
        and (
            lesson.kind == "tasks"
            or _are_on_one_topic(known_item, lesson)
            or shares_word(known_item.text, f"{lesson.said} {lesson.text}")
        )
    ]


def _are_on_two_topics(old_item: MemoryItem, new_item: MemoryItem | Learned) -> bool:
    """Whether two items have known topics that differ."""
    return old_item.topic != new_item.topic and {old_item.topic, new_item.topic} <= _TOPICS


def _are_on_one_topic(old_item: MemoryItem, new_item: MemoryItem | Learned) -> bool:
    """Whether two items have the same known topic."""
    return old_item.topic == new_item.topic and old_item.topic in _TOPICS - {_NO_TOPIC}


def _says_again(kind: MemoryKind, new_item: MemoryItem, old_item: MemoryItem) -> bool:
    """Whether the new item has all words of the old one, about the same person and time.

    It then denies the old item, or is more exact. A single common word counts only if both are on
    one topic. Tasks never replace each other so: "call Ann", "call Ann's mother".
    """
    if kind == "tasks" or (new_item.about, new_item.holds) != (old_item.about, old_item.holds):
        return False
    old_terms, new_terms = _meaningful_terms(old_item.text), _meaningful_terms(new_item.text)
    has_all = bool(old_terms) and old_terms <= new_terms
    return has_all and (len(old_terms) > 1 or _are_on_one_topic(old_item, new_item))


def _may_replace(new_item: MemoryItem, old_item: MemoryItem) -> bool:
    """Whether the new item may replace the old one.

    A plan does not change the present yet, and an item about others does not change one about the
    user.
    """
    is_a_plan = new_item.holds == "planned" and old_item.holds == NOW
    return not is_a_plan and bool(new_item.about) == bool(old_item.about)


def _date(text: str) -> str:
    """An ISO date, "" for other texts of a model."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return ""


KeptKind = Literal["memory", "thing", "file", "summary", "message"]
_NEARLY_ALL = 0.8
"""The share of a fact's words that a text about it has: one of five may be inflected."""
_SHORTEST_STEM = 4
_SENTENCES = re.compile(r".+?(?:[.!?。！？](?=\s|$)|[。！？]|\n|$)\s*", re.DOTALL)
_HIRAGANA = re.compile(rf"[{HIRAGANA}]")


def terms_of(text: str) -> frozenset[str]:
    """The terms of a text without regard to its language; inflected forms are compared here."""
    return terms_in(text, frozenset())


@dataclass(frozen=True, slots=True)
class KeptText:
    """A stored text about the user."""

    kind: KeptKind
    key: str
    """The mark of a memory, the key of a thing, the id of a file or turn, or the sentence."""
    text: str
    """The whole text."""
    shown: str
    """The part that a person needs to recognize it."""
    terms: frozenset[str]
    """The terms of the text."""
    taught_by: str = ""
    """The turn that a memory was learned from."""


@dataclass(frozen=True, slots=True)
class Traces:
    """Signs that a text is about something: facts, and single words, each as terms."""

    facts: tuple[frozenset[str], ...] = ()
    words: tuple[frozenset[str], ...] = ()

    @classmethod
    def of(cls, words: Iterable[str], facts: Iterable[str] = ()) -> Self:
        """The traces of these words, and of facts in the words of the memory."""
        return cls(
            tuple(filter(None, map(terms_of, facts))),
            tuple(filter(None, map(_meaningful_terms, words))),
        )

    def occur_in(self, text: str) -> bool:
        """Whether the text has nearly all words of a fact; one word alone is no sign."""
        return self.occur_among(terms_of(text))

    def count_in(self, text: str) -> int:
        """The number of words that the text has, in any form."""
        return self.count_among(terms_of(text))

    def occur_among(self, terms: Collection[str]) -> bool:
        """`occur_in` for the terms of a text."""
        return any(
            len(fact) > 1
            and sum(_stands_in(term, terms) for term in fact) >= _NEARLY_ALL * len(fact)
            for fact in self.facts
        )

    def count_among(self, terms: Collection[str]) -> int:
        """`count_in` for the terms of a text."""
        return sum(all(_stands_in(term, terms) for term in word) for word in self.words)


def sentences_of(summary: str) -> list[str]:
    """The sentences of a summary, each with the space after it."""
    return _SENTENCES.findall(summary)


def forget(
    memory: LongTermMemory, marks: Collection[str], traces: Traces, sentences: Collection[str] = ()
) -> LongTermMemory:
    """The memory without the items that have these marks.

    The summary loses these sentences, and others that say one of the facts.
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
    """Whether both texts have a meaningful word in common, in any form.

    In text without spaces between words, two consecutive characters count as a word.
    """
    other_terms = _meaningful_terms(other)
    return any(_stands_in(term, other_terms) for term in _meaningful_terms(text) if len(term) > 1)


def _meaningful_terms(word: str) -> frozenset[str]:
    """The terms that carry a word's meaning; in Japanese without endings, if others are left."""
    terms = terms_of(word)
    return frozenset(term for term in terms if not _HIRAGANA.search(term)) or terms


def _stands_in(term: str, terms: Collection[str]) -> bool:
    """Whether the terms contain this term, or an inflected form of it."""
    if term in terms:
        return True
    if len(term) < _SHORTEST_STEM:
        return False
    beginning = term[:_SHORTEST_STEM]
    return any(
        known_term.startswith(beginning) and _is_form(term, known_term) for known_term in terms
    )


def _is_form(term: str, known_term: str) -> bool:
    """Whether two terms share two thirds of their letters from the start."""
    letter_pairs = zip(term, known_term, strict=False)
    common_length = next(
        (
            index
            for index, (letter, other_letter) in enumerate(letter_pairs)
            if letter != other_letter
        ),
        min(len(term), len(known_term)),
    )
    return 3 * common_length >= 2 * max(len(term), len(known_term))
