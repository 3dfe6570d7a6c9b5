"""How a turn is answered: intents, plans, and the rules that need no model."""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

Plan = Literal["direct", "rag", "web", "rag+web"]

SMALLTALK = "smalltalk_or_short"
GENERAL = "general_question"
ABOUT_BOT = "about_this_bot"
DOCS_REQUIRED = "docs_required"


@dataclass(frozen=True, slots=True)
class Domain:
    """The subject that the registered documents are about, as the planner is told.

    `name` becomes the intent `domain_<name>`; `keywords` serve the rules that work without a model.
    """

    name: str
    description: str
    examples: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def intent(self) -> str:
        """The intent label of this domain."""
        return f"domain_{self.name}"


@dataclass(frozen=True, slots=True)
class Routing:
    """The decision on one turn and its reason; `query` is what retrieval and search look for."""

    intent: str
    plan: Plan
    reason: str
    query: str = ""


_GREETING = re.compile(
    r"hi|hello|hey|yo|sup|hiya|howdy|hola|bonjour|hallo|ciao|salut|ahoy|gm|gn|morning|evening"
    r"|good (morning|evening|afternoon|night)|(hi|hello|hey) (there|bot)"
    r"|やあ|こんにちは|こんばんは|おはよう(ございます)?|もしもし|ども|どうも|ハロー|はじめまして"
    r"|你好|안녕(하세요)?|привет"
)
_THANKS = re.compile(
    r"(ok |okay |great |cool )?(thanks|thx|thank you)( very much| so much| a lot)?|ty|cheers"
    r"|merci|danke|gracias|(どうも)?ありがとう(ございます)?"
)
_TIME_BOUND = re.compile(
    r"\b(today|tonight|now|right now|currently|current|latest|newest|recent|this week|this month"
    r"|yesterday|tomorrow|price of|news|weather|live)\b"
    r"|今日|本日|今朝|今週|昨日|明日|現在|最新|ニュース|いま(?!いち|だ)|今の|価格は",
    re.IGNORECASE,
)
_ABOUT_BOT = re.compile(
    r"\b(what (can|do) you (do|know)|who (are|made) you|what are you\b"
    r"|(what|which) are your sources|your (sources|documents|features|abilities|commands)"
    r"|how do you work|are you a bot"
    r"|this bot|rich-agent)\b|何ができ|あなたは(誰|だれ|何)|情報源は|使い方を教えて|このボット",
    re.IGNORECASE,
)
_DOCS_WANTED = re.compile(
    r"\b(according to|in (the|your|my) (docs?|documents?|documentation|files?|sources?)"
    r"|(the|your|my) (docs|documents|documentation) says?)\b|資料|ドキュメント|文書によ",
    re.IGNORECASE,
)
_SINGLE_WORD = re.compile(r"[^\W\d_]{1,20}")
_SHORT_CJK_CHARS = 4


def _bare(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() or c == "ー" else " " for c in folded).split())


def is_greeting(text: str) -> bool:
    """Whether the text is only a greeting: "hi", "Yo!", "やあ"."""
    return bool(_GREETING.fullmatch(_bare(text)))


def is_thanks(text: str) -> bool:
    """Whether the text only thanks."""
    return bool(_THANKS.fullmatch(_bare(text)))


def is_time_bound(text: str) -> bool:
    """Whether the answer depends on when the question is asked."""
    return bool(_TIME_BOUND.search(text))


def _is_single_word(text: str) -> bool:
    bare = _bare(text)
    if not bare or "?" in text or "？" in text or not _SINGLE_WORD.fullmatch(bare):
        return False
    return bare.isascii() or len(bare) <= _SHORT_CJK_CHARS


def route_by_rule(text: str, *, has_image: bool) -> Routing | None:
    """The routing of what needs no planning call, or None when a model has to plan.

    A greeting, thanks or a single word is answered directly (with an image it is a question on
    the image, which a model plans).
    """
    if has_image:
        return None
    if not _bare(text):
        return Routing(SMALLTALK, "direct", "nothing to look up: the message holds no words")
    if is_greeting(text):
        return Routing(SMALLTALK, "direct", "a greeting")
    if is_thanks(text):
        return Routing(SMALLTALK, "direct", "thanks")
    if _is_single_word(text):
        return Routing(SMALLTALK, "direct", "a single word")
    return None


def route_without_model(text: str, domain: Domain) -> Routing:
    """The routing when the planning call failed: documents first, the web when time matters."""
    query = text.strip()
    why = "by rule, as the planning model gave no usable plan: "
    if _ABOUT_BOT.search(text):
        return Routing(ABOUT_BOT, "rag", why + "a question about the bot", query)
    folded = text.casefold()
    if any(word.casefold() in folded for word in domain.keywords):
        plan: Plan = "rag+web" if is_time_bound(text) else "rag"
        return Routing(domain.intent, plan, why + "it names the domain", query)
    if _DOCS_WANTED.search(text):
        return Routing(DOCS_REQUIRED, "rag", why + "it asks for the documents", query)
    if is_time_bound(text):
        return Routing(GENERAL, "web", why + "it is about now", query)
    return Routing(GENERAL, "rag", why + "the documents may know", query)


def known_intents(domain: Domain) -> tuple[str, ...]:
    """Every intent label that a routing may carry."""
    return (SMALLTALK, GENERAL, domain.intent, ABOUT_BOT, DOCS_REQUIRED)


def complete_routing(proposed: Routing, text: str, domain: Domain) -> Routing:
    """A model's proposal with the product's own rules applied.

    An unknown intent becomes `general_question`; questions about the bot are always answered from
    documents; a time-bound domain question also searches the web; an empty query becomes the text.
    """
    intent = proposed.intent if proposed.intent in known_intents(domain) else GENERAL
    plan = proposed.plan
    if intent in {ABOUT_BOT, DOCS_REQUIRED} and plan in {"direct", "web"}:
        plan = "rag"
    if intent == domain.intent:
        plan = "rag+web" if plan in {"web", "rag+web"} or is_time_bound(text) else "rag"
    reason = proposed.reason.strip() or "as planned"
    return with_query(Routing(intent, plan, reason, proposed.query.strip() or text.strip()))


def with_query(routing: Routing) -> Routing:
    """The routing, direct when there is nothing to look for (an image without a question)."""
    return routing if routing.query.strip() else replace(routing, plan="direct")
