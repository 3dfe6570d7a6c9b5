"""What a remembered thing is about, and on which topics only the newest word holds.

A model proposes a topic; these rules have the last word, so that a user who moves has one home
whatever the model says.
"""

import re
from collections.abc import Mapping

from rich_agent.domain.memory import MemoryKind

SINGULAR: Mapping[MemoryKind, frozenset[str]] = {
    "facts": frozenset(
        {"residence", "name", "age", "birthday", "job", "employer", "origin", "timezone"}
        | {"email", "phone", "marital_status"}
    ),
    "preferences": frozenset({"language", "length", "tone", "format", "address", "timezone"}),
    "tasks": frozenset(),
}
"""Topics of which one item is true at a time: a new one replaces the old."""

_SAME: Mapping[str, str] = {
    other: topic
    for topic, others in {
        "residence": "home city location place living lives_in country town",
        "name": "full_name first_name user_name called",
        "birthday": "birth_date date_of_birth birthdate",
        "job": "occupation profession work career position role",
        "employer": "company workplace works_at works_for",
        "origin": "hometown birthplace from",
        "timezone": "time_zone tz",
        "marital_status": "relationship_status civil_status",
        "email": "e_mail email_address mail",
        "phone": "phone_number telephone",
        "language": "answer_language response_language reply_language language_preference",
        "length": "answer_length response_length verbosity brevity detail conciseness",
        "tone": "formality politeness style answer_style manner",
        "format": "formatting answer_format layout",
        "address": "nickname form_of_address call_me addressing",
    }.items()
    for other in others.split()
}


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_TOLD: Mapping[MemoryKind, Mapping[str, re.Pattern[str]]] = {
    "facts": {
        "residence": _any(
            r"^(?:now )?(?:lives|living|resides|is based|(?:has )?moved) (?:in|to|at)\b",
            r"に(?:住|引っ越)",
            r"在住",
        ),
        "name": _any(
            r"^(?:his |her |their |the user's )?name is\b", r"^is (?:called|named)\b", r"名前は"
        ),
        "age": _any(r"^is \d{1,3}(?: years old)?$", r"\d{1,3}歳"),
        "birthday": _any(r"\bbirthday\b", r"^was born on\b", r"誕生日"),
        "employer": _any(r"^works (?:at|for)\b", r"に勤め"),
        "job": _any(r"^works as\b", r"^is an? .+ by (?:profession|trade)$", r"として働"),
    },
    "preferences": {
        "language": _any(
            r"\b(?:answers?|reply|replies|respond|responses?|write|speak|messages)\b.*\bin [a-z]+"
            r"(?: only| always)?$",
            r"語で",
        ),
        "length": _any(
            r"\b(?:short|shorter|brief|concise|terse|long|longer|detailed)\b",
            r"短(?:く|い|め)|長(?:く|め)|簡潔|詳し",
        ),
        "address": _any(r"\bbe (?:called|addressed)\b", r"\bcall (?:them|him|her|me)\b", r"と呼"),
        "tone": _any(
            r"\b(?:formal|formally|informal|casual|friendly|polite|humorous)\b",
            r"敬語|丁寧|タメ口|カジュアル",
        ),
    },
    "tasks": {},
}

_NAMED: Mapping[frozenset[str], re.Pattern[str]] = {
    frozenset({"residence"}): _any(
        r"\b(?:live|lives|living|home|city|address|residence|moved?)\b", r"住|引っ越|自宅"
    ),
    frozenset({"job", "employer"}): _any(
        r"\b(?:job|work|profession|occupation|career|employer|company)\b", r"仕事|職業|会社|勤め"
    ),
    frozenset({"name", "address"}): _any(r"\b(?:name|nickname)\b", r"名前|呼び方"),
    frozenset({"age", "birthday"}): _any(r"\b(?:age|birthday|old)\b", r"年齢|誕生日|何歳"),
    frozenset({"language"}): _any(r"\blanguage\b", r"言語|言葉"),
    frozenset({"length"}): _any(r"\b(?:length|short|long|brief)\b", r"長さ"),
    frozenset({"tone"}): _any(r"\b(?:tone|style)\b", r"口調"),
}


def topic_of(kind: MemoryKind, text: str, proposed: str = "") -> str:
    """The topic of an item: as its words tell, else as a model proposed; "" for neither."""
    folded = " ".join(text.casefold().split()).rstrip(".。! ")
    for topic, told in _TOLD[kind].items():
        if told.search(folded):
            return topic
    topic = "_".join(re.findall(r"\w+", proposed.casefold()))
    return topic if topic in SINGULAR[kind] else _SAME.get(topic, topic)


def topics_named_in(text: str) -> frozenset[str]:
    """The topics that a request names: "my job", "where I live"."""
    folded = text.casefold()
    named = (topics for topics, words in _NAMED.items() if words.search(folded))
    return frozenset().union(*named)
