"""The meaning of English and Japanese messages, as far as closed sets of words tell it.

These are the languages of the sample documents. A question in another one is told by its mark.
"""

import re

_TIME_BOUND = re.compile(
    r"\b(?:today(?:'s)?|tonight|now|right now|latest|newest|current|currently|news|prices?|"
    r"yesterday|tomorrow|recent|recently|this (?:week|month|year)|at the moment|these days)\b"
    r"|今|最新|現在|ニュース|昨日|明日|最近|価格|値段"
)
_EXPLAINING = re.compile(r"\b(?:how|why|explain)\b(?! much)|どう|なぜ|とは|説明")
_PRICE = re.compile(r"\bprices?\b|価格|値段")
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
    r"[?？؟]\s*$|^(?:and |so )?(?:what|which|who|whose|where|when|why|how|is|are|were|do|does|did"
    r"|can|could|will|would|should|whats|hows|tell me (?:about|what|how|why)|explain|describe"
    r"|list|according to)\b|とは|(?:です|ます)か|教えて|説明して|か。?$"
)
_DEFINITION = re.compile(
    r"^what (?:is|are) (?!(?:the|this|that|these|it|there|in|on)\b)|とは|って何"
)
_ABOUT_BOT = re.compile(
    r"\byour(?:s|self)?\b|\b(?:are|can|do|did|could|will|made|built|make) you\b"
    r"|\byou (?:work|store|keep|remember|forget|have|do)\b|\b(?:this|the) (?:bot|assistant)\b"
    r"|あなた|何ができ|この(?:ボット|アシスタント)|情報源は"
)
_ABOUT_USER = re.compile(
    r"\b(?:what|who|where|when|how)\b.{0,30}\b(?:am i|do i|did i|my)\b|\byou (?:know|remember)\b"
    r"|(?:私|僕|俺|わたし)(?:の|は|について|のこと)|どこに住んで"
)
_DOCUMENTS = re.compile(
    r"\baccording to\b|\b(?:documents?|documentation|docs|manuals?|handbooks?|guides?|sources?)\b"
    r"|資料|ドキュメント|文書|マニュアル"
)
_FIRST_PERSON = re.compile(r"\b(?:i|my|me|mine|we|our)\b|私|わたし|僕|俺|自分")


def asks(text: str) -> bool:
    """Whether the text is a question, by its mark or its first word."""
    return bool(_ASKING.search(text.strip().lower()))


def asks_for_definition(text: str) -> bool:
    """Whether the question names a thing of its own: "What is a validator?"."""
    return bool(_DEFINITION.search(text.strip().lower()))


def about_bot(text: str) -> bool:
    """Whether the assistant is addressed or named."""
    return bool(_ABOUT_BOT.search(text.lower()))


def about_user(text: str) -> bool:
    """Whether only the user can know it, or a memory."""
    return bool(_ABOUT_USER.search(text.lower())) and asks(text)


def about_documents(text: str) -> bool:
    """Whether documents are named."""
    return bool(_DOCUMENTS.search(text.lower()))


def in_first_person(text: str) -> bool:
    """Whether the user speaks of themselves."""
    return bool(_FIRST_PERSON.search(text.lower()))


def time_bound(text: str) -> bool:
    """Whether the answer changes with the day (now, latest, price …)."""
    words = _PRICE.sub("", text.lower()) if _EXPLAINING.search(text.lower()) else text.lower()
    return bool(_TIME_BOUND.search(words))


def time_bound_alone(text: str) -> bool:
    """The same, with words that mean it only outside a domain (release, weather)."""
    return time_bound(text) or bool(_TIME_BOUND_ALONE.search(text.lower()))


def about_image(text: str) -> bool:
    """Whether a picture is named."""
    return bool(_IMAGE.search(text.lower()))


def images_named(text: str) -> list[int]:
    """The numbers of the pictures that are named by their order ("the second photo")."""
    return [_ORDINALS.get(word) or int(digit) for word, digit in _NUMBERED.findall(text.lower())]


def points_back(text: str) -> bool:
    """Whether a word stands for something said or shown before (it, this, これ)."""
    return bool(_POINTING.search(text.lower()))
