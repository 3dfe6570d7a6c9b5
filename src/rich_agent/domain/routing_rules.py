"""Routing by rules alone: what needs no model, and what to do when the model gives no plan."""

import re

from rich_agent.domain.plan import (
    ABOUT_BOT,
    DOCS_REQUIRED,
    GENERAL,
    SMALLTALK,
    Domain,
    Plan,
    Routing,
)
from rich_agent.domain.small_talk import SmallTalk, small_talk
from rich_agent.domain.timeliness import is_time_bound

_REASONS: dict[SmallTalk, str] = {
    "greeting": "a greeting",
    "farewell": "a farewell",
    "thanks": "thanks",
    "courtesy": "a courtesy",
    "laughter": "laughter",
    "reaction": "an emoji",
    "silence": "nothing to look up: the message holds no words",
    "number": "a number or a sum",
    "word": "a single word",
}
# What may be the answer to a question that the bot asked just before.
_MAY_ANSWER: frozenset[SmallTalk] = frozenset({"number", "word", "reaction"})
_ABOUT_BOT = re.compile(
    r"\b(what (can|do) you (do|know)|who (are|made) you|what are you\b"
    r"|(what|which) are your sources|your (sources|documents|features|abilities|commands)"
    r"|how do you work|are you a bot|do you (store|keep|save|remember) (my|me|what)"
    r"|this bot|rich-agent)\b|何ができ|あなたは(誰|だれ|何)|情報源は|使い方を教えて|このボット",
    re.IGNORECASE,
)
_DOCS_WANTED = re.compile(
    r"\b(according to|in (the|your|my) (docs?|documents?|documentation|files?|sources?)"
    r"|(the|your|my) (docs|documents|documentation) says?)\b|資料|ドキュメント|文書によ",
    re.IGNORECASE,
)
_SELF_CONTAINED = re.compile(
    r"^(?:please |can you |could you )?(?:write|compose|translate|rewrite|rephrase|proofread|"
    r"calculate|tell me a (?:joke|story))\b|俳句|翻訳|訳して|書き直|計算して|冗談",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:and|but|or|so|then|what about|how about)\b"
    r"|\b(?:it|its|they|them|their|that|this|those|these|he|she|his|her)\b"
    r"|^(?:じゃあ|では|それ|その|これ|この|あれ|あの|ほか|他)|^[^\s、。]{1,8}(?<!と)[はも][?？]?$",
    re.IGNORECASE,
)
_LONGEST_LEANING_WORDS = 7


def route_by_rule(text: str, *, has_image: bool, was_asked: bool = False) -> Routing | None:
    """The routing of what needs no planning call, or None when a model has to plan.

    Small talk is answered directly. With an image it is a question on the image; a word, a number
    or an emoji after a question of the bot (`was_asked`) may answer that. A model plans both.
    """
    kind = None if has_image else small_talk(text)
    if kind is None or (was_asked and kind in _MAY_ANSWER):
        return None
    return Routing(GENERAL if kind == "number" else SMALLTALK, "direct", _REASONS[kind])


def route_without_model(text: str, domain: Domain, asked_before: str = "") -> Routing:
    """The routing when the planning call failed: documents first, the web when time matters.

    `asked_before` is the question before; one that leans on it ("and its fee?") takes its words.
    """
    query = text.strip()
    if asked_before and leans_on_conversation(text):
        query = f"{asked_before.strip()} {query}"
    why = "by rule, as the planning model gave no usable plan: "
    is_now, in_domain = is_time_bound(text), _names(domain, query)
    rules: tuple[tuple[bool, str, Plan, str], ...] = (
        (bool(_ABOUT_BOT.search(text)), ABOUT_BOT, "rag", "a question about the bot"),
        (in_domain and is_now, domain.intent, "rag+web", "it names the domain, and is about now"),
        (in_domain, domain.intent, "rag", "it names the domain"),
        (bool(_DOCS_WANTED.search(text)), DOCS_REQUIRED, "rag", "it asks for the documents"),
        (is_now, GENERAL, "web", "it is about now"),
        (bool(_SELF_CONTAINED.search(text)), GENERAL, "direct", "it holds all that it needs"),
        (True, GENERAL, "rag", "the documents may know"),
    )
    intent, plan, reason = next((i, p, r) for applies, i, p, r in rules if applies)
    return Routing(intent, plan, why + reason, query)


def _names(domain: Domain, query: str) -> bool:
    return any(word.casefold() in query.casefold() for word in domain.keywords)


def leans_on_conversation(text: str) -> bool:
    """Whether a short question speaks of something said before ("its fee?", 「手数料は？」)."""
    short = len(text.split()) <= _LONGEST_LEANING_WORDS
    return short and bool(_LEANING.search(text.strip()))
