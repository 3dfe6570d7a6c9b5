"""Small closed sets of words that planning and answering look for."""

import re

_END = r"[\s!.,?~。！？〜…:;)\U0001F300-\U0001FAFF☀-➿]*"
_GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|yo|sup|howdy|greetings|good (?:morning|afternoon|evening|night|day)|"
    r"hi there|hello there|hey there|how are you(?: doing| today)?|what's up|bye|goodbye|see you|"
    r"ok|okay|cool|nice|great|yes|no|やあ|よお|どうも|こんにち[はわ]|こんばん[はわ]|"
    r"おはよう(?:ございます)?|もしもし|さようなら|またね|はい|いいえ|了解)"
    rf"(?:[, ]+(?:bot|there|all|everyone|again|friend))?{_END}"
)
_THANKS = re.compile(
    r"(?:many )?(?:thanks|thank you|thx|ty|cheers|"
    r"ありがと(?:う)?(?:ございま(?:す|した))?|サンキュー)"
    rf"(?:[, ]+(?:a lot|so much|very much|you|bot|again))?{_END}"
)
_TIME_BOUND = re.compile(
    r"\b(?:today(?:'s)?|tonight|now|right now|latest|newest|current|currently|prices?|news|"
    r"yesterday|tomorrow|recent|recently|this (?:week|month|year))\b"
    r"|今|最新|現在|ニュース|価格|昨日|明日|最近"
)
_TIME_BOUND_ALONE = re.compile(r"\b(?:releases?|released|weather|forecast)\b|天気|リリース")
_IMAGE = re.compile(r"\b(?:pictures?|images?|photos?|screenshots?|drawings?)\b|写真|画像|絵")
_POINTING = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|their|he|she)\b|これ|この|それ|その"
)


def greets(text: str) -> bool:
    """Whether the whole text is a greeting or a word of politeness."""
    return bool(_GREETING.fullmatch(text.strip().lower()))


def thanks(text: str) -> bool:
    """Whether the whole text says thank you."""
    return bool(_THANKS.fullmatch(text.strip().lower()))


def time_bound(text: str) -> bool:
    """Whether the answer changes with the day (now, latest, price …)."""
    return bool(_TIME_BOUND.search(text.lower()))


def time_bound_alone(text: str) -> bool:
    """The same, with words that mean it only outside a domain (release, weather)."""
    return time_bound(text) or bool(_TIME_BOUND_ALONE.search(text.lower()))


def about_image(text: str) -> bool:
    """Whether a picture is named."""
    return bool(_IMAGE.search(text.lower()))


def points_back(text: str) -> bool:
    """Whether a word stands for something said or shown before (it, this, これ)."""
    return bool(_POINTING.search(text.lower()))
