"""Small closed sets of words that planning and answering look for."""

import re

from rich_agent_sandbox.model.language.meaning import means

_TIME_BOUND = re.compile(
    r"\b(?:today(?:'s)?|tonight|now|right now|latest|newest|current|currently|news|"
    r"yesterday|tomorrow|recent|recently|this (?:week|month|year))\b"
    r"|今|最新|現在|ニュース|昨日|明日|最近"
)
_TIME_BOUND_ALONE = re.compile(r"\b(?:releases?|released|weather|forecast)\b|天気|リリース")
_IMAGE = re.compile(r"\b(?:pictures?|images?|photos?|screenshots?|drawings?)\b|写真|画像|絵")
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


def images_named(text: str) -> list[int]:
    """The numbers of the pictures that are named by their order ("the second photo")."""
    return [_ORDINALS.get(word) or int(digit) for word, digit in _NUMBERED.findall(text.lower())]


def points_back(text: str) -> bool:
    """Whether a word stands for something said or shown before (it, this, これ)."""
    return bool(_POINTING.search(text.lower()))
