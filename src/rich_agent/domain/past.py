"""Questions about what was said long ago: by rule, what is looked for in the archive."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from rich_agent.domain.day_spans import ALWAYS, named_days
from rich_agent.domain.search_terms import term_counts

PastOrder = Literal["nearest", "oldest", "newest"]
LONGEST_BY_RULE = 160
"""Characters; a longer message asks for more than the past."""


@dataclass(frozen=True, slots=True)
class PastQuestion:
    """What is wanted of earlier turns: about `query` ("": about anything), from a span of days.

    `order` "nearest" ranks by the words of `query`; without them it takes turns from all over the
    span. Days are those of UTC, both included.
    """

    query: str = ""
    order: PastOrder = "nearest"
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn that left the running conversation."""

    asked_at: datetime
    question: str
    answer: str


_SPEAK = (
    r"(?:ask(?:ed)?|sa(?:y|id)|t(?:ell|old)|talk(?:ed|ing)?|speak|spoken?|discuss(?:ed)?"
    r"|mention(?:ed)?|wr(?:ite|ote|itten)|sen[dt]|chat(?:ted)?)"
)
_WE_SPOKE = re.compile(
    rf"\b(?:did|have|had) (?:i|we) (?:\w+ ){{0,2}}{_SPEAK}\b"
    rf"|\bfirst \w+ (?:that )?(?:i|we) (?:\w+ )?{_SPEAK}\b"
    r"|\bdid you (?:\w+ )?(?:say|tell|answer|write)\b"
    rf"|\b(?:remember|recall) (?:what|when|which|that) (?:\w+ )?(?:i|we) (?:\w+ )?{_SPEAK}\b"
    r"|\b(?:my|our) (?:very )?first (?:\w+ )?(?:question|message|conversation|chat|words?)\b"
    r"|(?:聞|訊|書)(?:いた|きました)|質問(?:した|しました|は何)|(?:言|い)(?:った|いました)"
    r"|話(?:した|しました|をし)|教え(?:た|ました)|伝え(?:た|ました)|相談(?:した|しました)"
    r"|送(?:った|りました)"
)
_OF_OTHERS = re.compile(r"彼|誰|だれ|さん[がは]")
_ASKS = re.compile(
    r"[?？]|^(?:what|which|when|did|have|do|tell me)\b|(?:か|っけ)[。.!！]*$|何を|いつ"
)
_FIRST = re.compile(r"\bfirst\b|\bat the (?:very )?(?:start|beginning)\b|最初|(?:はじめ|初め)に")
# What such a question is made of, besides its subject.
_FRAME = re.compile(
    rf"\b{_SPEAK}\b"
    r"|\b(?:what|which|when|first|last|very|ever|just|about|before|earlier|questions?|messages?"
    r"|things?|conversations?|remember|recall|already|time|start|beginning|back|once|something"
    r"|anything|words?)\b"
    r"|(?:最初|はじめ|初め|一番|いちばん)(?:に|の)?|何(?:を|の|について|か)?|いつ|以前|前[に回]|[こそあ]の"
    r"|について|の?(?:話|質問|こと|会話)(?:を|は|が|題)?|(?:私|僕|俺|わたし|あなた|君)[はがにを]?"
    r"|(?:聞|訊|書)(?:いた|きました)|(?:し|言|い|教え|伝え|送)(?:った|た|いました|りました|ました)"
    r"|相談|覚えて(?:る|いる|います)|でした|です|っけ|ます|か[?？]?$"
)
_PARTICLES = re.compile(r"[はがをにのとでもへやねよ]+")


def past_question(text: str, today: date) -> PastQuestion | None:
    """What a short question about earlier turns looks for; None when it is none.

    "What did I ask you first?", "what did we talk about in March?", "did I tell you about my dog?",
    「最初に何を聞いた？」
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if len(plain) > LONGEST_BY_RULE or not (_ASKS.search(plain) and _WE_SPOKE.search(plain)):
        return None
    if _OF_OTHERS.search(plain):
        return None
    days, rest = named_days(plain, today)
    subject = _subject_of(rest)
    if _FIRST.search(plain):
        return PastQuestion(subject, "oldest", *days)
    if not subject and days == ALWAYS:
        return None
    return PastQuestion(subject, "nearest", *days)


def _subject_of(plain: str) -> str:
    """The words that say what it was about, "" without any."""
    words = re.findall(r"\w+", _FRAME.sub(" ", plain))
    return " ".join(word for word in words if _PARTICLES.sub("", word) and term_counts(word))
