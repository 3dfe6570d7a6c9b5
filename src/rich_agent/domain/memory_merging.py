"""How what a turn taught changes what is remembered; the same taught twice is taught once."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from rich_agent.domain.memory import (
    MEMORY_KINDS,
    LongTermMemory,
    MemoryItem,
    MemoryKind,
    key_of,
)
from rich_agent.domain.memory_topics import MANY, SINGULAR, topic_of
from rich_agent.domain.search_terms import term_counts
from rich_agent.domain.secret_words import holds_secret
from rich_agent.domain.text import shorten

Action = Literal["add", "replace", "remove"]
MOST_ITEMS = 200
"""Of each kind; the oldest give way, so that a turn costs the same after years."""
MOST_CHARACTERS = 300
"""Of one item: a memory is a sentence, not a document."""
_ALIKE = 0.5
"""Share of words in common from which a text to remove names a remembered thing."""
_ALIKE_UNSPACED = 0.75
"""The same in Japanese, whose terms are characters and pairs: two allergies share most of them."""

_DENIES = re.compile(
    r"\b(?:not|no longer|never|stopped|quit|without)\b|n['’]t\b|な(?:い|く|し)|やめ"
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# With the empty lines before it.
_QUOTED_LINE = re.compile(r"^(?:[^\S\n]*+\n)*+(?:[^\S\n]*+[>＞].*$|(?P<kept>))", re.MULTILINE)
_QUOTED = re.compile(
    r"“[^“”]{30,}”|\"[^\"\n]{30,}\"|«[^«»]{30,}»|„[^„“”]{30,}[“”]|「[^「」]{20,}」"
)
_GIVEN_TEXT = re.compile(
    r"\b(?:translate|summari[sz]e|proofread|rephrase|rewrite|paraphrase|correct|explain)\b"
    r"[^:\n]{0,60}:.*|(?:翻訳|要約|校正|添削|訳)[^：:\n]{0,20}[：:].*",
    re.IGNORECASE | re.DOTALL,
)
_TOLD_TO_REMEMBER = re.compile(
    r"(?:please\s+)?(?:remember|note|keep in mind)(?: that|:)\s+(?P<en>[^?？]+)"
    r"|(?P<ja>[^?？]+?)(?:と|って|を|、)?(?:覚えて|おぼえて)(?:おいて)?(?:ください|下さい|ね)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Learned:
    """One thing that a message taught, as a model read it.

    With `remove`, `text` names what no longer holds, is done, or is to be forgotten.
    """

    kind: MemoryKind
    text: str
    topic: str = ""
    action: Action = "add"
    due: str = ""


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and in which turn something was learned (`at` ISO 8601)."""

    request_id: str
    at: str


def own_words(text: str) -> str:
    """The message without what it quotes, and without a text that it only hands over.

    Code, quoted lines, long quotations and what follows "translate this:" are no word of the
    user's about themselves.
    """
    for foreign in (_FENCED, _QUOTED_LINE, _GIVEN_TEXT, _QUOTED):
        text = foreign.sub(lambda found: found[0] if found.lastgroup == "kept" else " ", text)
    return text.strip()


def told_to_remember(text: str) -> str:
    """What a message asks to remember in so many words ("remember that ..."), "" if it does not."""
    told = _TOLD_TO_REMEMBER.fullmatch(" ".join(text.split()).rstrip(" .。!！"))
    if not told:
        return ""
    words = (told["en"] or told["ja"]).strip(" 、,")
    return words[:1].upper() + words[1:]


def merge(memory: LongTermMemory, learned: Iterable[Learned], occasion: Occasion) -> LongTermMemory:
    """The memory after a turn; merging the same again changes nothing.

    A removed text may be worded otherwise than the item it means. An added item replaces those of
    its topic where only one can hold, or where the message says so, and never holds a secret.
    """
    items = {kind: list(memory.items(kind)) for kind in MEMORY_KINDS}
    news = [one for one in learned if key_of(one.text)]
    for one in news:
        if one.action == "remove":
            _remove(items, one)
    for one in news:
        if one.action != "remove" and not holds_secret(one.text):
            _add(items[one.kind], one, occasion)
    return memory.with_items({kind: tuple(items[kind][-MOST_ITEMS:]) for kind in MEMORY_KINDS})


def terms_of(text: str) -> frozenset[int]:
    """The words of a text that carry meaning, by number."""
    return frozenset(term_counts(text))


def _remove(items: dict[MemoryKind, list[MemoryItem]], gone: Learned) -> None:
    """Drop the item that says the same, else the one most alike, else those of its topic."""
    for kind, kept in items.items():
        same = [item for item in kept if key_of(item.text) == key_of(gone.text)]
        if same:
            items[kind] = [item for item in kept if item not in same]
            return
    kept = items[gone.kind]
    alike = max(kept, key=lambda item: _likeness(item.text, gone.text), default=None)
    if alike and _likeness(alike.text, gone.text) >= _ALIKE:
        kept.remove(alike)
        return
    topic = topic_of(gone.kind, gone.text, gone.topic)
    if topic in SINGULAR[gone.kind]:
        items[gone.kind] = [i for i in kept if _topic(gone.kind, i) != topic]


def _add(kept: list[MemoryItem], new: Learned, occasion: Occasion) -> None:
    text, topic = shorten(new.text, MOST_CHARACTERS), topic_of(new.kind, new.text, new.topic)
    item = MemoryItem(text, occasion.request_id, occasion.at, topic, _date(new.due))
    known = next((i for i in kept if key_of(i.text) == key_of(text)), None)
    if known:
        if item.due and item.due != known.due:
            kept[kept.index(known)] = item
        return
    gone = _replaced(kept, new, topic)
    terms = terms_of(text)
    kept[:] = [
        old
        for old in kept
        if old not in gone
        # The same words in another order, or with another ending, are the newer wording.
        and not (terms and terms_of(old.text) == terms)
    ]
    kept.append(item)


def _replaced(kept: Sequence[MemoryItem], new: Learned, topic: str) -> list[MemoryItem]:
    """What no longer holds next to a new item: all of a singular topic, else what it rewords.

    A model that replaces means one thing: the only one on its topic, or the most alike. Where much
    is true at a time, and among tasks, it has to be said in nearly the same words, or denied.
    """
    if topic in SINGULAR[new.kind]:
        return [old for old in kept if _topic(new.kind, old) == topic]
    if new.action != "replace":
        return []
    same = [old for old in kept if topic and _topic(new.kind, old) == topic]
    alike = max(reversed(kept), key=lambda old: _likeness(old.text, new.text), default=None)
    likeness = _likeness(alike.text, new.text) if alike else 0.0
    enough = _ALIKE if " " in new.text else _ALIKE_UNSPACED
    if alike and (likeness >= enough or (alike in same and _DENIES.search(new.text))):
        return [alike]
    if topic in MANY or new.kind == "tasks":
        return []
    return [alike] if alike in same and likeness else same if len(same) == 1 else []


def _topic(kind: MemoryKind, item: MemoryItem) -> str:
    """The topic of a stored item; one that was stored without tells it by its words."""
    return topic_of(kind, item.text, item.topic)


def _likeness(one: str, other: str) -> float:
    ours, theirs = terms_of(one), terms_of(other)
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def _date(text: str) -> str:
    """An ISO date, "" for anything else that a model wrote."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return ""
