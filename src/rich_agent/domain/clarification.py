"""Questions that the bot asks back: when one is needed by rule, and what answers it. No IO."""

import re
import unicodedata

from rich_agent.domain.message import IncomingMessage
from rich_agent.domain.plan import Clarification
from rich_agent.domain.small_talk import SmallTalk, small_talk
from rich_agent.domain.text import shorten
from rich_agent.domain.vision import ImageSummary

MOST_CHOICES = 6
_QUESTION_LENGTH = 300
_CHOICE_LENGTH = 40
_LONG_QUESTION_WORDS = 6
_LONG_QUESTION_CJK = 14

_EMPTY = re.compile(
    r"|and|so|well|look|see|here|hm+|eh|huh|ok|this|that|it|this (one|photo|picture|image)"
    r"|(a |my )?(photo|picture|image|screenshot)"
    r"|これ|それ|この|写真|画像|これなんだけど|見て|みて|ん|え"
)
_POINTING = re.compile(
    r"(and|so|but|or|then|also)( (this|that|it|these|those|then))?"
    r"|((and|so|but) )?((what|how) about )?"
    r"(it|this|that|these|those|them|(this|that|the other|the (first|second|third|last)) one)"
    r"|(and|but)? ?(why|how|which( one)?|what else)"
    r"|(これ|それ|あれ|この|その|あの|じゃあ|では|で|それで|その他|ほか|他)(は|も|の|が|を)?"
)
_ANNOUNCED = re.compile(
    r"^(?=.*\b(?:send|show|share|upload|post|next|following|coming)\b)"
    r".*\b(?:photos?|pictures?|images?|screenshots?|scans?)\b"
    r"|^(?>.*?(?:写真|画像|スクショ)).*(?:送|見せ|貼)|^(?>.*?(?:次|これから)).*(?:写真|画像|スクショ)",
    re.IGNORECASE | re.MULTILINE,
)
_HOLDS_TEXT = re.compile(
    r"\b(texts?|words?|letters?|labels?|captions?|titles?|headings?|signs?|reads|says|written|"
    r"writing|menu|receipt|letter|document|page)\b|文字|テキスト|文章|書かれ|看板",
    re.IGNORECASE,
)
_NO_ANSWER: frozenset[SmallTalk] = frozenset({"greeting", "farewell", "thanks"})
_CJK = re.compile("[぀-ヿ㐀-䶿一-鿿]")


def in_bounds(proposed: Clarification) -> Clarification | None:
    """A model's question as it may be asked: short, with 2 to 6 different choices or none.

    None when it asks nothing.
    """
    question = shorten(proposed.question, _QUESTION_LENGTH)
    short = (shorten(choice, _CHOICE_LENGTH) for choice in proposed.choices)
    choices = tuple(dict.fromkeys(choice for choice in short if choice))
    if not question:
        return None
    return Clarification(question, choices[:MOST_CHOICES] if len(choices) > 1 else ())


def asks_nothing(text: str) -> bool:
    """Whether the words that came with a photo say nothing about it: "", "?", "…", "これ"."""
    return bool(_EMPTY.fullmatch(_bare(text)))


def points_nowhere(text: str) -> bool:
    """Whether the words only point at something said before: "and?", "that one", "それは？"."""
    return bool(_POINTING.fullmatch(_bare(text)))


def announces_image(text: str) -> bool:
    """Whether somebody who says this may send a photo next, and has said what it is for."""
    return bool(_ANNOUNCED.search(text))


def image_topics(summary: ImageSummary) -> tuple[str, ...]:
    """What may be wanted of an image, likeliest first: describe, text, table, search."""
    told = " ".join([summary.summary, *summary.entities])
    topics = {
        "describe": True,
        "text": bool(_HOLDS_TEXT.search(told)),
        "table": bool(summary.tables),
        "search": bool(summary.entities),
    }
    return tuple(topic for topic, holds in topics.items() if holds)


def is_another_request(message: IncomingMessage, asked: Clarification) -> bool:
    """Whether a message surely is no answer to the question; False leaves it to the planner.

    Surely none is what is forwarded, a greeting, a photo with a question of its own, a long
    question, a reply to some other message, and what is no choice where only choices count.
    """
    text = message.text.strip()
    if asked.only_choices:
        return not answers_by_choice(text, asked)
    if message.forwarded or small_talk(text) in _NO_ANSWER:
        return True
    if answers_by_choice(text, asked):
        return False
    if message.photos and not asks_nothing(text):
        return True
    if message.reply and asked.question not in message.reply.text:
        return True
    return text.endswith(("?", "？")) and _is_long(text)


def answers_by_choice(text: str, asked: Clarification) -> bool:
    """Whether the text is one of the choices."""
    return place_of(text, asked) is not None


def place_of(text: str, asked: Clarification) -> int | None:
    """Which of the choices the text is, from 0; None for something else."""
    choices = [_bare(choice) for choice in asked.choices]
    return choices.index(_bare(text)) if _bare(text) in choices else None


def completed_by(asked_text: str, answer: str) -> str:
    """What the user wants in their own words: the first ones, unless they said nothing."""
    if asks_nothing(asked_text) or points_nowhere(asked_text):
        return answer
    return f"{asked_text}\n{answer}".strip()


def _is_long(text: str) -> bool:
    return len(text.split()) >= _LONG_QUESTION_WORDS or len(_CJK.findall(text)) >= (
        _LONG_QUESTION_CJK
    )


def _bare(text: str) -> str:
    """The words alone, folded, a space between each two."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() or c == "ー" else " " for c in folded).split())
