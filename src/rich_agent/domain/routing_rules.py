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
from rich_agent.domain.timeliness import asks_about_now, is_time_bound

_REASONS: dict[SmallTalk, str] = {
    "greeting": "a greeting",
    "farewell": "a farewell",
    "thanks": "thanks",
    "courtesy": "a courtesy",
    "help": "a call for help",
    "laughter": "laughter",
    "reaction": "an emoji",
    "silence": "nothing to look up: the message holds no words",
    "number": "a number or a sum",
    "word": "a single word",
}
# What may be the answer to a question that the bot asked just before.
_MAY_ANSWER: frozenset[SmallTalk] = frozenset({"number", "word", "reaction"})
_ABOUT_BOT = re.compile(
    r"\b(?:what|who|how|which|why) (?:\w+ )?(?:are|can|do|did|made|built) you\b|\bare you an?\b"
    r"|\byour (?:name|sources?|documents?|documentation|features|abilities|commands|answers come)"
    r"|\b(?:do|can|will) you (?:store|keep|save|send|read|hear|see|speak|search|use|cite|forget)\b"
    r"|\bmake you forget\b|\buse you\b|\b(?:this|the) bot\b|\brich-agent\b|/why\b"
    r"|何ができ|あなた(?:は|を|の(?!意見))|情報源は|使い方を教えて|このボット|保存され(?:ます|る)"
    r"|覚えたこと"
    r"|どんな質問"
    r"|(?:写真|音声|ファイル).{0,8}(?:読め|対応)",
    re.IGNORECASE,
)
_DOCS_WANTED = re.compile(
    r"\b(?:according to|per|in|search|quote) (?:the|your|my|any) (?:registered )?"
    r"(?:docs?|documents?|documentation|files?|sources?|manual|handbook)\b"
    r"|\b(?:the|your|my|which) (?:docs|documents?|documentation|files|manual|handbook)"
    r" (?:says?|talks?|mentions?|requires?|on|about)\b"
    r"|資料|ドキュメント|マニュアル|(?:登録された)?文書(?:に|の|では)|ファイルの中",
    re.IGNORECASE,
)
_SELF_CONTAINED = re.compile(
    r"^(?:please |can you |could you )?(?:write|compose|draft|translate|rewrite|rephrase|proofread"
    r"|calculate|convert|brainstorm|fix the|correct|tell me a (?:joke|story)|remind me|give me \w+ "
    r"(?:names|ideas|words))\b"
    r"|^what(?:'s| is) [\d.,]+ ?%|^(?:my name is|i (?:live|moved|prefer|work))\b"
    r"|俳句|詩を|翻訳|訳して|書き直|計算して|冗談|(?:メール|文|物語|関数)を?.{0,6}書いて|名前を.{0,6}考えて"
    r"|私の名前は|に住んでい(?:ます|る)$|もっと短く|引っ越しました",
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
    is_task = bool(_SELF_CONTAINED.search(text.strip()))
    rules: tuple[tuple[bool, str, Plan, str], ...] = (
        (is_task, GENERAL, "direct", "it holds all that it needs"),
        (bool(_ABOUT_BOT.search(text)), ABOUT_BOT, "rag", "a question about the bot"),
        (in_domain and is_now, domain.intent, "rag+web", "it names the domain, and is about now"),
        (in_domain, domain.intent, "rag", "it names the domain"),
        (bool(_DOCS_WANTED.search(text)), DOCS_REQUIRED, "rag", "it asks for the documents"),
        (asks_about_now(text), GENERAL, "web", "it is about now"),
        (True, GENERAL, "rag", "the documents may know"),
    )
    intent, plan, reason = next((i, p, r) for applies, i, p, r in rules if applies)
    return Routing(intent, plan, why + reason, query)


def _names(domain: Domain, query: str) -> bool:
    """Whether a keyword stands in the query: as a word, or within text without spaces."""
    folded = query.casefold()
    return any(_stands_in(word.casefold(), folded) for word in domain.keywords)


def _stands_in(word: str, text: str) -> bool:
    if not word.isascii():
        return word in text
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(word)}s?(?![a-z0-9])", text))


def leans_on_conversation(text: str) -> bool:
    """Whether a short question speaks of something said before ("its fee?", 「手数料は？」)."""
    short = len(text.split()) <= _LONGEST_LEANING_WORDS
    return short and bool(_LEANING.search(text.strip()))
