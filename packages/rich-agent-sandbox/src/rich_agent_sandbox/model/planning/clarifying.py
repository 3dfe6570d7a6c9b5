"""Asks back if a question refers to something unknown, and recognises answers to that."""

import re
from dataclasses import dataclass

from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.prose import ADDRESS
from rich_agent_sandbox.model.answering.small_talk import has_context, kind_of
from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import cjk_runs, content_words, normalise, words
from rich_agent_sandbox.model.language.tongues import content_of
from rich_agent_sandbox.model.planning.search_queries import leans
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.turns import asks_for_action

_REQUEST = re.compile(
    r"^(?:please |no,? |never ?mind,? |instead,? )*"
    r"(?:tell|explain|show|write|translate|compare|list|what|who|where|when|why|how|which)\b"
    r"|(?:教えて|説明して|書いて|訳して|とは何|は何ですか)"
)
_ANNOUNCED = re.compile(
    r"(?=.*\b(?:send|show|share|upload|post|next|following|coming)\b)"
    r".*\b(?:photos?|pictures?|images?|screenshots?|scans?)\b"
    r"|(?:写真|画像|スクショ).*(?:送|見せ|貼)|(?:次|これから).*(?:写真|画像|スクショ)"
)
_POINTING = re.compile(
    r"\b(?:eso|esto|ese|esa|das|dies|dieses|cela|ça)\b[?!.]*$|这个|那个|이거|그거"
)
_WHAT_OF_FILES = "What would you like to know about the file?"
_WHAT_OF_IT = "What would you like to know about the picture?"
_WHICH = {
    "en": "What do you mean by that: which subject is it about?",
    "ja": "何についてのご質問ですか？",
    "de": "Was meinst du damit: Um welches Thema geht es?",
    "es": "¿A qué te refieres: de qué tema se trata?",
    "fr": "De quoi parlez-vous : de quel sujet s'agit-il ?",
    "zh": "你指的是什么：是关于哪个主题的？",
    "ko": "무엇을 말씀하시는 건가요?",
}
_MOST_WORDS = 2
_CHARS_OF_A_WORD = 3  # in Chinese and Korean
_MOST_CHOICES = 5


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question back, with the likely answers."""

    question: str
    choices: tuple[str, ...]


def clarify(prompt: Prompt) -> Clarification | None:
    """A question back if the question points at something but nothing was said or shown before.

    It offers the topics of the domain as answers. For a picture without words, it asks what the
    user wants to know, unless the previous message said so.
    """
    language = language_wanted(prompt)
    if prompt.image_summaries and not (words(prompt.question) or cjk_runs(prompt.question)):
        before = prompt.earlier_questions[-1:]
        is_announced = any(_ANNOUNCED.search(normalise(text)) for text in before)
        return None if is_announced or prompt.replied_to else Clarification(_WHAT_OF_IT, ())
    if prompt.files_came and not (words(prompt.question) or cjk_runs(prompt.question)):
        return None if prompt.replied_to else Clarification(_WHAT_OF_FILES, ())
    if (
        prompt.files_came
        or has_context(prompt)
        or kind_of(prompt.question)
        or not _points(prompt.question)
    ):
        return None
    return Clarification(_WHICH.get(language, _WHICH["en"]), _topics(prompt))


def _points(question: str) -> bool:
    """Whether it is short and points back: "what is that?", "and?", 「それは？」."""
    named = content_words(question)
    if phrases.points_back(question):
        return len(named) <= _MOST_WORDS
    if not _POINTING.search(normalise(question)):
        return not named and leans(question)
    others = [word for word in content_of(question) if not _POINTING.fullmatch(word)]
    return len(others) + sum(map(len, cjk_runs(question))) // _CHARS_OF_A_WORD <= _MOST_WORDS


def is_new_request(prompt: Prompt) -> bool:
    """Whether the reply to a question back has the form of a new request."""
    said = normalise(prompt.answer_to_it)
    asks = said.rstrip().endswith(("?", "？")) or ADDRESS.search(said)
    is_request = asks or _REQUEST.search(said) or asks_for_action(prompt.answer_to_it)
    is_whole = len(content_words(said)) > 1 or sum(map(len, cjk_runs(said))) > _CHARS_OF_A_WORD
    return bool(prompt.asked_back and is_request and is_whole)


def _topics(prompt: Prompt) -> tuple[str, ...]:
    """The comma-separated phrases in the description of the domain."""
    told = " ".join(domain.text.splitlines()[0] for domain in prompt.domains if domain.text)
    named = re.split(r",| and |:|、", told.partition(":")[0])
    topics = tuple(dict.fromkeys(topic.strip(" .") for topic in named if topic.strip(" .")))
    return topics[:_MOST_CHOICES]
