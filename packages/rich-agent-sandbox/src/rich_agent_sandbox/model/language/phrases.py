"""Small closed sets of words that planning and answering look for."""

import re
from typing import Literal

from rich_agent_sandbox.model.language.meaning import means

_TIME_BOUND = re.compile(
    r"\b(?:today(?:'s)?|tonight|now|right now|latest|newest|current|currently|news|"
    r"yesterday|tomorrow|recent|recently|this (?:week|month|year))\b"
    r"|今|最新|現在|ニュース|昨日|明日|最近"
)
_TIME_BOUND_ALONE = re.compile(r"\b(?:releases?|released|weather|forecast)\b|天気|リリース")
_IMAGE = re.compile(r"\b(?:pictures?|images?|photos?|screenshots?|drawings?)\b|写真|画像|絵")
_COUNT = re.compile(r"\bhow many\b|\bcount\b|\bnumber of\b|いくつ|何個|何本|何枚")
_READ = re.compile(
    r"\b(?:small|fine|tiny) (?:text|print|letters|writing)\b"
    r"|\bwhat (?:does|is) (?:the |its )?(?:text|print|label|sign|writing)\b"
    r"|\b(?:read|spell out) (?:the |its )?(?:text|print|label|sign|letters)\b"
    r"|(?:小さい|小さな|細かい)文字|文字を読|何と書"
)
_WHERE = re.compile(r"\bwhere exactly\b|\bexactly where\b|\bexact (?:place|position)\b|正確な位置")
_SHOWN = re.compile(
    r"\bcolou?rs?\b|\b(?:circle|square|rectangle|triangle|shape|ellipse)s?\b|\bwhere\b|何色|色|形"
)
_LARGEST = re.compile(r"\b(?:largest|biggest|greatest)\b|一番大きい|最も大きい|いちばん大きい")
_SMALLEST = re.compile(r"\b(?:smallest|tiniest)\b|一番小さい|最も小さい|いちばん小さい")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_NUMBERED = re.compile(
    rf"\b({'|'.join(_ORDINALS)}) (?:picture|image|photo|one)\b|([1-9])\s*(?:枚目|つ目)"
)
_POINTING = re.compile(
    r"\b(?:it|its|this(?! (?:bot|assistant)\b)|that|these|those|they|them|their|he|she)\b"
    r"|これ|この(?!ボット|アシスタント)|それ|その"
)

_ASKING = re.compile(
    r"[?？]|^(?:what|which|who|whose|where|when|why|how|is|are|were|do|does|did|can|could|will"
    r"|would|should|tell me|explain|describe|was|wer|wie|wo|wann|warum|welche\w*|qué|quién|cómo"
    r"|dónde|cuándo|cuál|por qué|qui|quoi|comment|pourquoi|quand)\b"
    r"|とは|ですか|ますか|教えて|か。?$"
)


def asks(text: str) -> bool:
    """Whether the text is a question, by its mark or its first word."""
    return bool(_ASKING.search(text.strip().lower())) or means("asks", text)


def time_bound(text: str) -> bool:
    """Whether the answer changes with the day (now, latest, price …)."""
    is_price = means("price", text) and not means("how", text)
    return bool(_TIME_BOUND.search(text.lower())) or means("now", text) or is_price


def time_bound_alone(text: str) -> bool:
    """The same, with words that mean it only outside a domain (release, weather)."""
    alone = _TIME_BOUND_ALONE.search(text.lower()) or means("now_elsewhere", text)
    return time_bound(text) or bool(alone)


def about_image(text: str) -> bool:
    """Whether a picture is named."""
    return bool(_IMAGE.search(text.lower()))


def asks_to_count(text: str) -> bool:
    """Whether a number of things is asked for."""
    return bool(_COUNT.search(text.lower()))


def asks_to_read(text: str) -> bool:
    """Whether text is to be read out, down to its small print."""
    return bool(_READ.search(text.lower()))


def asks_where(text: str) -> bool:
    """Whether an exact place is asked for."""
    return bool(_WHERE.search(text.lower()))


def asks_what_is_shown(text: str) -> bool:
    """Whether a colour, a shape or a place is asked for."""
    return bool(_SHOWN.search(text.lower()))


def asks_for_size(text: str) -> Literal["largest", "smallest"] | None:
    """Which of several things is asked for by its size."""
    if _LARGEST.search(text.lower()):
        return "largest"
    return "smallest" if _SMALLEST.search(text.lower()) else None


def images_named(text: str) -> list[int]:
    """The numbers of the pictures that are named by their order ("the second photo")."""
    return [_ORDINALS.get(word) or int(digit) for word, digit in _NUMBERED.findall(text.lower())]


def points_back(text: str) -> bool:
    """Whether a word stands for something said or shown before (it, this, これ)."""
    return bool(_POINTING.search(text.lower()))
