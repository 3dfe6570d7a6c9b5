"""Reads questions about what was said before: the subject, the days, and whether the first."""

import re
from collections.abc import Mapping
from datetime import date

from rich_agent_sandbox.model.language.days import today_in
from rich_agent_sandbox.model.language.meaning import means
from rich_agent_sandbox.model.language.named_days import ALWAYS, named_days
from rich_agent_sandbox.model.language.text import cjk_runs, normalise
from rich_agent_sandbox.model.language.tongues import content_of
from rich_agent_sandbox.model.prompt import Prompt

_LONGEST = 160  # characters; a longer message asks for more than the past
_SPEAK = (
    r"(?:ask(?:ed)?|sa(?:y|id)|t(?:ell|old)|talk(?:ed|ing)?|speak|spoken?|discuss(?:ed)?"
    r"|mention(?:ed)?|wr(?:ite|ote|itten)|sen[dt]|chat(?:ted)?)"
)
_SPEAK_GERMAN = r"(?:gefragt|gesagt|erzählt|geredet|gesprochen|erwähnt|geschrieben|besprochen)"
_SPEAK_SPANISH = r"(?:pregunté|dije|conté|mencioné|hablamos|hemos hablado|escribí)"
_WE_SPOKE = re.compile(
    rf"\b(?:did|have|had) (?:i|we) (?:\w+ ){{0,2}}{_SPEAK}\b"
    rf"|\bfirst \w+ (?:that )?(?:i|we) (?:\w+ )?{_SPEAK}\b"
    r"|\bdid you (?:\w+ )?(?:say|tell|answer|write)\b"
    rf"|\b(?:remember|recall) (?:what|when|which|that) (?:\w+ )?(?:i|we) (?:\w+ )?{_SPEAK}\b"
    r"|\b(?:my|our) (?:very )?first (?:\w+ )?(?:question|message|conversation|chat|words?)\b"
    rf"|\b(?:habe?|hatte|haben) (?:ich|wir)\b.{{0,80}}\b{_SPEAK_GERMAN}\b|\b{_SPEAK_SPANISH}\b"
    r"|(?:聞|訊|書)(?:いた|きました)|質問(?:した|しました|は何)|(?:言|い)(?:った|いました)"
    r"|話(?:した|しました|をし)|教え(?:た|ました)|伝え(?:た|ました)|相談(?:した|しました)"
    r"|送(?:った|りました)|我.{0,12}(?:问|说|聊|告诉|提)(?:过|了|到)|我们.{0,12}(?:聊|谈|说)"
)
_OF_OTHERS = re.compile(r"彼|誰|だれ|さん[がは]")
_ASKS = re.compile(
    r"[?？]|^(?:what|which|when|did|have|do|tell me|was|worüber|wann|qué|de qué|cuándo)\b"
    r"|(?:か|っけ|吗|什么)[。.!！]*$|何を|いつ"
)
_FIRST = re.compile(
    r"\bfirst\b|\bat the (?:very )?(?:start|beginning)\b|\bzuerst\b|\bals erstes\b|\bam anfang\b"
    r"|\bprimero\b|\bal principio\b|最初|最先|一开始|第一(?:个|次|句)|(?:はじめ|初め)に"
)
# The words of such a question apart from its subject.
_FRAME = re.compile(
    rf"\b{_SPEAK}\b|\b{_SPEAK_GERMAN}\b|\b{_SPEAK_SPANISH}\b"
    r"|\b(?:what|which|when|first|last|very|ever|just|about|before|earlier|questions?|messages?"
    r"|things?|conversations?|remember|recall|already|time|start|beginning|back|once|something"
    r"|anything|words?|zuerst|als erstes|anfang|worüber|schon|schonmal|jemals|gestern|vorher"
    r"|primero|antes|principio)\b"
    r"|(?:最初|はじめ|初め|一番|いちばん)(?:に|の)?|何(?:を|の|について|か)?|いつ|以前|前[に回]|[こそあ]の"
    r"|について|の?(?:話|質問|こと|会話)(?:を|は|が|題)?|(?:私|僕|俺|わたし|あなた|君)[はがにを]?"
    r"|(?:聞|訊|書)(?:いた|きました)|(?:し|言|い|教え|伝え|送)(?:った|た|いました|りました|ました)"
    r"|相談|覚えて(?:る|いる|います)|でした|です|っけ|ます|か[?？]?$"
    r"|我们|我|你|最先|一开始|第一(?:个|次|句)|之前|以前|什么|关于|(?:问|说|聊|谈|告诉|提)(?:过|了|到)?|[吗的]"
)
_PARTICLES = re.compile(r"[はがをにのとでもへやねよ]+")
# Synonyms, which a language model would know.
_SAME = (
    frozenset(("pet", "cat", "dog")),
    frozenset(("haustier", "hund", "katze")),
    frozenset(("ペット", "猫", "犬")),
    frozenset(("宠物", "猫", "狗")),
)


def past_wanted(prompt: Prompt) -> Mapping[str, str | None] | None:
    """Return what a short question about earlier messages looks for, None if it is not one."""
    today = today_in(prompt.instructions)
    plain = " ".join(normalise(prompt.question).split())
    if today is None or len(plain) > _LONGEST or _OF_OTHERS.search(plain):
        return None
    speaks_of_it = _WE_SPOKE.search(plain) or means("spoke", plain)
    if not (speaks_of_it and (_ASKS.search(plain) or means("asks", plain))):
        return None
    (since, until), rest = named_days(plain, today)
    subject = _subject_of(rest)
    is_first = bool(_FIRST.search(plain)) or means("first", plain)
    if not (is_first or subject or (since, until) != ALWAYS):
        return None
    return {
        "query": " ".join([*subject, *_other_words(subject)]),
        "order": "oldest" if is_first else "nearest",
        "since": _iso(since),
        "until": _iso(until),
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _subject_of(plain: str) -> list[str]:
    """The words that say what it was about."""
    said = _FRAME.sub(" ", plain)
    meant = set(content_of(said))
    return [
        word
        for word in re.findall(r"\w+", said)
        if _PARTICLES.sub("", word) and (word in meant or cjk_runs(word))
    ]


def _other_words(subject: list[str]) -> list[str]:
    found = [group for group in _SAME if group & set(subject)]
    return sorted(frozenset[str]().union(*found) - set(subject))
