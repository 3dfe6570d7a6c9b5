"""Answers without passages: from memory, earlier messages and picture summaries."""

import re
from collections.abc import Sequence

from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import clip, content_terms, normalise
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.turns import understand
from rich_agent_sandbox.model.vision.image_summary import ImageSummary, told_by

_TASK = "To do: "
_TASKS = re.compile(
    r"\b(?:tasks?|to-?dos?|to-do list)\b|\bi (?:need|have) to do\b|タスク|やること|予定"
)
# Memories are mostly in English words.
_KEPT_AS = {
    "名前": "name 名前",
    "住んで": "lives 住んで",
    "仕事": "works",
    "好き": "likes",
    "好み": "likes",
}
_SMALLEST_SHARE = 0.6  # of the question's terms
_MOST_LINES = 3
_LONGEST_LINE = 300  # characters


def from_the_past(prompt: Prompt) -> str:
    """The given earlier turns with their dates."""
    lines = [f"- {one.date}: “{clip(one.asked, _LONGEST_LINE)}”" for one in prompt.past_turns]
    frame = say("recalled", language_wanted(prompt))
    return "\n".join([frame, "", *lines]) if lines else ""


def from_memory(prompt: Prompt) -> str:
    """Lines of memory, else of the conversation, that have most words of a question."""
    known, question = [*prompt.preferences, *prompt.memory], normalise(prompt.question)
    if "recalls" in understand(prompt.question).told:
        return _recalled(prompt, known) or say("nothing_known", language_wanted(prompt))
    if not phrases.asks(question):
        return ""
    if _TASKS.search(question) and phrases.in_first_person(question):
        tasks = [line.removeprefix(_TASK) for line in known if line.startswith(_TASK)]
        return _recalled(prompt, tasks) or say("nothing_known", language_wanted(prompt))
    summed_up = prompt.conversation_summary.splitlines()
    said = [line for line in summed_up if not line.startswith("Asked: ")]
    past = [turn.asked for turn in prompt.past_turns]
    # Messages may be outdated, unlike memories.
    return _on_that(prompt, known) or _on_that(prompt, [*said, *past, *_statements(prompt)])


def _on_that(prompt: Prompt, lines: Sequence[str]) -> str:
    asked = prompt.question
    kept_as = " ".join(english for other, english in _KEPT_AS.items() if other in asked.lower())
    terms = set(content_terms(kept_as or asked))
    shared = [(len(terms & set(content_terms(line))), line) for line in lines]
    most = max((count for count, _ in shared), default=0)
    if most < _SMALLEST_SHARE * len(terms) and not kept_as:
        return ""
    return _recalled(prompt, [line for count, line in shared if 0 < count == most])


def from_image_summaries(prompt: Prompt) -> str:
    """The picture summaries, unless passages are wanted and no picture is meant."""
    question = prompt.question
    leans = phrases.points_back(question) or phrases.about_image(question)
    if not prompt.image_summaries or (prompt.passages and not leans):
        return ""
    told = "\n\n".join(_told_of(summary, prompt) for summary in prompt.image_summaries)
    return f"{told} [{prompt.image_number}]" if prompt.image_number else told


def from_image_answers(prompt: Prompt) -> str:
    """The result of a further look at the pictures."""
    told = "\n\n".join(prompt.image_answers)
    return f"{told} [{prompt.image_number}]" if told and prompt.image_number else told


def acknowledge(prompt: Prompt) -> str:
    """A confirmation of what a message says about the user, or of a task that was done."""
    turn = understand(prompt.question)
    if prompt.question.rstrip().endswith(("?", "？", "؟")):
        return ""
    if not turn.teaches:
        return ""
    said = prompt.question.strip()
    # What stands behind "remember that" is said again, else the whole.
    own = next((one for one in turn.lessons if one.casefold() in said.casefold()), said)
    return f"{say('understood', language_wanted(prompt))}{own}"


def _recalled(prompt: Prompt, lines: list[str]) -> str:
    kept = [clip(line.strip(), _LONGEST_LINE) for line in dict.fromkeys(lines) if line.strip()]
    if not kept:
        return ""
    frame = say("recalled", language_wanted(prompt))
    recalls_all = "recalls" in understand(prompt.question).told
    latest = kept if recalls_all else kept[-_MOST_LINES:]
    return "\n".join([frame, "", *(f"- {line}" for line in latest)])


def _statements(prompt: Prompt) -> list[str]:
    return [text for text in prompt.earlier_questions if not phrases.asks(text)]


def _told_of(text: str, prompt: Prompt) -> str:
    """Tell what a picture shows: the table cell that is asked for, else the whole summary."""
    told, language = ImageSummary.read(text).told, language_wanted(prompt)
    cell = told_by(text, prompt.question)
    return say("picture", language) + (cell or told)
