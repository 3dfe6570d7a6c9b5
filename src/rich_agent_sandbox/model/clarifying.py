"""Asks back when a question points at something that it was not given, and tells answers apart."""

import re
from dataclasses import dataclass

from rich_agent_sandbox.model import phrases
from rich_agent_sandbox.model.chatting import has_context, kind_of
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.text import content_words, is_japanese, normalise

_REQUEST = re.compile(
    r"^(?:please |no,? |never ?mind,? |instead,? )*"
    r"(?:tell|explain|show|write|translate|compare|list|what|who|where|when|why|how|which)\b"
    r"|(?:教えて|説明して|書いて|訳して|とは何|は何ですか)"
)
_MOST_WORDS = 2
_MOST_CHOICES = 5


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question back, with the likely answers."""

    question: str
    choices: tuple[str, ...]


def clarify(prompt: Prompt) -> Clarification | None:
    """A question back when the question points at something and nothing was said or shown before.

    The topics that the instructions name for the domain are offered as answers.
    """
    if not phrases.points_back(prompt.question) or has_context(prompt):
        return None
    if kind_of(prompt.question):
        return None
    if len(content_words(prompt.question)) > _MOST_WORDS:
        return None
    if is_japanese(prompt.question):
        return Clarification("何についてのご質問ですか？", _topics(prompt))
    return Clarification("What do you mean by that: which subject is it about?", _topics(prompt))


def is_new_request(prompt: Prompt) -> bool:
    """Whether what came after a question back is a request of its own, by its form."""
    said = normalise(prompt.answer_to_it)
    return bool(prompt.asked_back and _REQUEST.search(said)) and len(content_words(said)) > 1


def _topics(prompt: Prompt) -> tuple[str, ...]:
    """The phrases, separated by commas, of the description of the domain."""
    told = " ".join(domain.text.splitlines()[0] for domain in prompt.domains if domain.text)
    named = re.split(r",| and |:|、", told.partition(":")[0])
    topics = tuple(dict.fromkeys(topic.strip(" .") for topic in named if topic.strip(" .")))
    return topics[:_MOST_CHOICES]
