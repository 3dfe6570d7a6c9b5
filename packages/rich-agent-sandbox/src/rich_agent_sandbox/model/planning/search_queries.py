"""Makes standalone search queries from a question and its conversation."""

import re
from collections.abc import Sequence

from rich_agent_sandbox.model.answering.small_talk import kind_of
from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import cjk_runs, content_words, normalise, words
from rich_agent_sandbox.model.prompt import Prompt, Turn
from rich_agent_sandbox.model.vision.image_summary import ImageSummary

_FOLLOW_UP = re.compile(
    r"^(?:and\b|und\b|y\b|et\b|or\b|but\b|then\b|what about\b|how about\b"
    r"|じゃあ|では|それなら|ほかに|他に)"
    # A topic without a predicate: 「手数料は？」
    r"|^[^\s、。？?]{1,10}(?<!と)[はも][?？]?$"
)
_MOST_WORDS_OF_A_TOPIC = 2
_MOST_WORDS_OF_A_POINTER = 3
_MOST_IMAGE_WORDS = 12
_MOST_ANSWER_WORDS = 20
_MOST_PARTS = 3
_FEWEST_WORDS_OF_A_PART = 2
_JOINT = re.compile(
    r"(?<=[?？])\s*|(?<=[。])|,?\s+(?:and|or)\s+(?:also\s+)?(?=(?:how|what|why|when|where|which|who|is"
    r"|are|does|do|can)\b)",
    re.IGNORECASE,
)


def searches(prompt: Prompt) -> tuple[str, tuple[str, ...]]:
    """The question as one standalone query, and a query for each of several parts."""
    query = standalone_query(prompt)
    parts = [part.strip(" 、,") for part in _JOINT.split(prompt.question)]
    parts = [part for part in parts if _asks_something(part)][:_MOST_PARTS]
    if len(parts) < 2:
        return query, ()
    subject = content_words(parts[0])
    later_parts = [_joined(part, subject) if leans(part) else part for part in parts[1:]]
    first_part = (
        parts[0] if query.strip() == prompt.question.strip() else _joined(parts[0], _added(prompt))
    )
    return query, (first_part, *later_parts)


def standalone_query(prompt: Prompt) -> str:
    """The question with the words of the image or the conversation to which it refers."""
    return _joined(prompt.question, _added(prompt))


def image_words(prompt: Prompt) -> list[str]:
    """The entities in the image summaries, else their content words."""
    words_found: list[str] = []
    for text in prompt.image_summaries:
        summary = ImageSummary.read(text)
        words_found += [normalise(name) for name in summary.entities] or content_words(text)
    return list(dict.fromkeys(words_found))[:_MOST_IMAGE_WORDS]


def _added(prompt: Prompt) -> list[str]:
    question = prompt.question
    refers_back = phrases.points_back(question) or phrases.about_image(question)
    if prompt.image_summaries and (refers_back or not question.strip()):
        return image_words(prompt)
    if prompt.replied_to and refers_back:
        return content_words(prompt.replied_to)[:_MOST_ANSWER_WORDS]
    return _subject_of(prompt.turns) if leans(question) else []


def _subject_of(turns: Sequence[Turn]) -> list[str]:
    """The words of the last standalone question, and of the follow-up questions after it.

    The subject of a question about a picture is in its answer.
    """
    words_found: list[str] = []
    for index in range(len(turns) - 1, -1, -1):
        turn = turns[index]
        says_nothing = bool(turn.text.strip()) and not phrases.asks(turn.text)
        if turn.role != "user" or kind_of(turn.text) or says_nothing:
            continue
        words_found = [*content_words(turn.text), *words_found]
        refers_back = phrases.points_back(turn.text) or phrases.about_image(turn.text)
        if refers_back or not turn.text.strip():
            answer = turns[index + 1].text if index + 1 < len(turns) else ""
            words_found += content_words(answer)[:_MOST_ANSWER_WORDS]
        if not leans(turn.text):
            break
    return list(dict.fromkeys(words_found))


def leans(question: str) -> bool:
    """Whether a question refers to an earlier message: "and its fee?", "fees?"."""
    text = normalise(question).strip()
    named_words = content_words(text)
    refers_back = phrases.points_back(text) and len(named_words) <= _MOST_WORDS_OF_A_POINTER
    is_bare = (
        len(named_words) <= _MOST_WORDS_OF_A_TOPIC and len(words(text)) == len(named_words) > 0
    )
    is_bare_topic = is_bare and text.endswith("?") and not cjk_runs(text)
    return bool(_FOLLOW_UP.search(text)) or refers_back or is_bare_topic


def _asks_something(part: str) -> bool:
    return len(words(part)) >= _FEWEST_WORDS_OF_A_PART or bool(cjk_runs(part))


def _joined(question: str, added_words: Sequence[str]) -> str:
    normalised_question = normalise(question)
    return " ".join(
        [question.strip(), *(word for word in added_words if word not in normalised_question)]
    ).strip()
