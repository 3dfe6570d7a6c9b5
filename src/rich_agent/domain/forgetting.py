"""A wish to forget, read by rule: "forget that", "forget my job", 「仕事のことは忘れて」."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from rich_agent.domain.memory import LongTermMemory, MemoryItem, MemoryKind, without
from rich_agent.domain.memory_merging import terms_of
from rich_agent.domain.memory_topics import topic_of, topics_named_in

KindItem = tuple[MemoryKind, MemoryItem]
_LONGEST = 120
_ENOUGH = 0.6
"""Share of the words of a request that an item has to hold to be meant."""
_NEARLY_ALL = 0.8
"""Share of the words of a fact in a text that tells it: inflected, it may lack one of five."""
_SHORTEST_FACT = 6


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_ENGLISH = re.compile(
    r"(?:(?:ok|okay|oh|no|sorry|hey|hi|well|actually|wait|and|then|now)[,.!]?\s+)*(?:please\s+)?"
    r"(?:(?:can|could|would|will) you (?:please )?|i(?:'d like| want) you to "
    r"|you (?:can|should|may) )?"
    r"(?:forget|unlearn|do(?: not|n't) remember|stop remembering|(?P<undo>scratch|disregard))\b"
    r"(?P<about>.*?)(?:,? please)?",
)
_JAPANESE = re.compile(
    r"(?P<about>.*?)(?:を|は|も|って)?(?:もう|すべて|全部)?(?:忘れて|わすれて|(?P<undo>取り消して|なかったことにして))"
    r"(?:もらえますか|もらえる|くれますか|くれる|くれ|ください|下さい|ほしい|欲しい|いいよ|おいて)?[ねよ]?"
)
_LAST = _any(
    r"(?:about )?(?:it|that|this|that one)?",
    r"(?:about )?what i(?:'ve| have)? (?:just )?(?:said|told you|wrote)(?: just now)?",
    r"(?:the|my) last (?:thing|one|message)(?: i (?:said|told you|wrote))?",
    r"(?:それ|これ|今の|いまの|さっきの|先ほどの)?(?:こと|話)?",
    r"(?:今|いま|さっき|先ほど)?(?:私が)?(?:言った|話した|伝えた)(?:こと|の|話)",
)
_EVERYTHING = _any(
    r"(?:about )?(?:me|everything|all(?: of it)?|all about me|everything about me|all of that)",
    r"(?:everything|all)(?: that)? you (?:know|remember|have)(?: about me)?",
    r"(?:everything|all)(?: that)? i(?:'ve| have)? (?:ever )?(?:said|told you)",
    r"(?:私のこと|全て|すべて|全部|何もかも|私について)(?:すべて|全部)?(?:のこと)?",
)
_ALL_OF: Mapping[MemoryKind, re.Pattern[str]] = {
    "tasks": _any(
        r"(?:all )?(?:of )?my (?:tasks|to-?dos|reminders)", r"やること|タスク|リマインダー"
    ),
    "preferences": _any(r"(?:all )?(?:of )?my preferences", r"(?:私の)?好み"),
    "facts": _any(r"(?:all )?(?:the )?facts(?: about me)?"),
}
_PREAMBLE = re.compile(
    r"^(?:(?:that|about|what|everything|anything|all|i|you|we|said|told|wrote|know|remember|have"
    r"|ever|just|on|of)\s+)+"
)
_TAIL = re.compile(
    r"(?:について|に関して)?(?:(?:私が)?(?:言った|話した|伝えた|覚えている|知っている))?(?:こと)?$|の(?:こと|話)$"
)

_SENTENCES = re.compile(r".+?(?:[.!?。！？](?=\s|$)|[。！？]|\n|$)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ForgetWish:
    """What a user wants forgotten: `subject` in their words, "" for what they said last.

    `told` is the message that they reply to, which "that" then means.
    """

    subject: str = ""
    everything: bool = False
    told: str = ""


def read_forget_wish(text: str) -> ForgetWish | None:
    """The wish that a message consists of; None for one that says or asks anything else.

    Other languages, and wishes among other words, are left to the model that keeps the memory.
    """
    line = " ".join(text.casefold().replace("’", "'").split()).strip(" .!?。！？")
    if not line or len(line) > _LONGEST:
        return None
    told = _ENGLISH.fullmatch(line)
    japanese = None if told else _JAPANESE.fullmatch(line)
    found = told or japanese
    if found is None:
        return None
    about = found["about"].strip(" 、,")
    if found["undo"]:
        # "Disregard the tax" and 「予約を取り消して」 are about other things.
        return ForgetWish() if about and _LAST.fullmatch(about) else None
    return _wish(about, line, is_japanese=bool(japanese))


def _wish(about: str, line: str, *, is_japanese: bool) -> ForgetWish | None:
    if _LAST.fullmatch(about):
        return ForgetWish(everything=bool(is_japanese and re.search("すべて|全部", line)))
    if _EVERYTHING.fullmatch(about):
        return ForgetWish(everything=True)
    # "Forget the weather, tell me about staking" asks for something else; "forget to" forgets.
    if re.search(r"[,;.?!、。？]|\binstead\b|^to\b", about):
        return None
    return ForgetWish(
        _TAIL.sub("", about) if is_japanese else _PREAMBLE.sub("", f"{about} ").strip()
    )


def chosen_to_forget(
    memory: LongTermMemory, wish: ForgetWish, recent_requests: Collection[str]
) -> list[KindItem]:
    """The items that a wish means, [] for none.

    What was said last is what the message replied to tells, else what the newest turn taught that
    still stands in the conversation. A subject means the items that hold its words, else those of
    the topic that it names.
    """
    items = list(memory)
    if wish.everything:
        return items
    if not wish.subject:
        if wish.told:
            return [found for found in items if _is_told_in(wish.told, found[1])]
        return _taught_last(items, recent_requests)
    for kind, named in _ALL_OF.items():
        if named.fullmatch(wish.subject):
            return [(of, item) for of, item in items if of == kind]
    return _by_words(items, wish.subject) or _by_topic(items, wish.subject)


def forget(
    memory: LongTermMemory, marks: Collection[str], forgotten: "Forgotten"
) -> LongTermMemory:
    """The memory without the items that have these marks.

    Sentences of the conversation's summary that tell what is forgotten go too.
    """
    summary = "".join(
        sentence
        for sentence in _SENTENCES.findall(memory.conversation_summary)
        if not forgotten.tells(terms_of(sentence))
    )
    return replace(without(memory, *marks), conversation_summary=summary.strip())


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What must not be quoted any more: turns by their ids, and facts by the terms of each."""

    requests: frozenset[str] = frozenset()
    facts: tuple[frozenset[int], ...] = ()

    @classmethod
    def of(cls, texts: Collection[str], requests: Collection[str], subject: str) -> "Forgotten":
        """The items' texts and the turns that taught them; a subject of one word is no fact."""
        is_fact = len(subject) >= _SHORTEST_FACT and len(terms_of(subject)) > 1
        facts = (*texts, subject) if is_fact else texts
        return cls(frozenset(requests), tuple(map(terms_of, facts)))

    def __bool__(self) -> bool:
        return bool(self.requests or self.facts)

    @property
    def terms(self) -> frozenset[int]:
        """The terms of all facts."""
        return frozenset().union(*self.facts)

    def tells(self, said: Collection[int], fewest_terms: int = 1) -> bool:
        """Whether terms hold nearly all of a fact that has so many of them or more."""
        return any(
            len(fact) >= fewest_terms and len(fact.intersection(said)) >= _NEARLY_ALL * len(fact)
            for fact in self.facts
        )

    def holds(self, request_id: str, question: str, answer: str) -> bool:
        """Whether a turn taught it, or tells nearly all words of a fact.

        A single word tells it in the question alone: "What do cats eat?" may go when "Has a cat"
        is forgotten, an answer on lions and cats stays.
        """
        if request_id in self.requests:
            return True
        asked = terms_of(question)
        return self.tells(asked) or self.tells(asked | terms_of(answer), fewest_terms=2)


def _taught_last(items: Sequence[KindItem], recent_requests: Collection[str]) -> list[KindItem]:
    recent = [(kind, item) for kind, item in items if item.request_id in recent_requests]
    newest = max(recent, key=lambda found: found[1].updated_at, default=None)
    return [found for found in recent if newest and found[1].request_id == newest[1].request_id]


def _is_told_in(text: str, item: MemoryItem) -> bool:
    terms = terms_of(item.text)
    return bool(terms) and len(terms & terms_of(text)) >= _ENOUGH * len(terms)


def _by_words(items: Sequence[KindItem], subject: str) -> list[KindItem]:
    wanted = terms_of(subject)
    if not wanted:
        return []
    shared = {
        index: len(wanted & terms_of(f"{item.text} {item.topic}")) / len(wanted)
        for index, (_, item) in enumerate(items)
    }
    most = max(shared.values(), default=0.0)
    return [items[index] for index, share in shared.items() if share == most >= _ENOUGH]


def _by_topic(items: Sequence[KindItem], subject: str) -> list[KindItem]:
    topics = topics_named_in(subject)
    return [(kind, item) for kind, item in items if topic_of(kind, item.text, item.topic) in topics]
