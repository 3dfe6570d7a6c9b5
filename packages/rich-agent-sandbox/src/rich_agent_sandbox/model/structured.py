"""Recognises a task by a schema's property names, and returns its result as JSON."""

from collections.abc import Callable, Mapping
from typing import Any

from rich_agent_sandbox.model.answering.checking import check_entries
from rich_agent_sandbox.model.answering.domain_titles import describe_subject
from rich_agent_sandbox.model.answering.judging import mark_answer
from rich_agent_sandbox.model.answering.listing import asks_for_list
from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.summarising import summarise
from rich_agent_sandbox.model.language.phrases import images_named
from rich_agent_sandbox.model.language.text import content_terms
from rich_agent_sandbox.model.language.tongues import ENGLISH
from rich_agent_sandbox.model.planning.clarifying import clarify, is_new_request
from rich_agent_sandbox.model.planning.files_wanted import files_wanted, wants_all
from rich_agent_sandbox.model.planning.plan import image_question, is_on_picture, plan_answer
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.schema import Schema, fill, property_names
from rich_agent_sandbox.model.turns import chosen, learned, may_act, planned_calls, understand
from rich_agent_sandbox.model.vision.describing import describe_image
from rich_agent_sandbox.model.vision.image_questions import look

# An action needs no documents.
_GENERAL = "general_question"
_TO_ACT: Mapping[str, Any] = {
    "action": True,
    "intent": _GENERAL,
    "plan": "direct",
    "web": "never",
    "reason": "The message asks for something to be done.",
    "query": "",
    "queries": [],
}
_Work = Callable[[Prompt], Mapping[str, Any]]


def fill_for_prompt(schema: Schema, prompt: Prompt) -> dict[str, Any]:
    """An object that matches `schema`, computed from the prompt if its names are known.

    Raises: ImageUnreadableError.
    """
    work = _work_for(property_names(schema), prompt)
    return fill(schema, work(prompt) if work else {})


def is_known(schema: Schema, prompt: Prompt) -> bool:
    """Whether the property names identify the task (a summary alone does not)."""
    return _work_for(property_names(schema), prompt) not in (None, _fold)


def _work_for(names: frozenset[str], prompt: Prompt) -> _Work | None:
    for needed, work in _WORKS:
        if needed <= names and (work not in (_see, _look) or prompt.images):
            return work
    return None


def _plan(prompt: Prompt) -> dict[str, Any]:
    plan, clarification = plan_answer(prompt), clarify(prompt)
    acts, turn = may_act(prompt), understand(prompt.question)
    language, is_leaving = language_wanted(prompt), prompt.is_in_session and _wants_out(prompt)
    files = [] if acts or is_leaving else files_wanted(prompt)
    return {
        "clarification": bool(clarification),
        "forget": bool(turn.told.get("forget")),
        "about_the_past": turn.past(prompt) is not None,
        "language": language,
        "leaves_session": is_leaving,
        "new_request": is_new_request(prompt) and not (is_on_picture(prompt) or prompt.files_came),
        "intent": plan.intent,
        "plan": "direct" if files and plan.intent == _GENERAL else plan.plan,
        "web": plan.web,
        "catalogue": asks_for_list(prompt.question),
        "teaches": turn.teaches,
        # The reasons are in English, and the reason has to be in the user's language.
        "reason": plan.reason if language == ENGLISH else "",
        "query": plan.query,
        "queries": list(plan.queries),
        "image_question": image_question(prompt),
        "image_numbers": images_named(prompt.question),
        "files": files,
        "whole_file": wants_all(prompt),
        **({**_TO_ACT, **({} if language == ENGLISH else {"reason": ""})} if acts else {}),
        **turn.told.get("plan", {}),
        **({"intent": "smalltalk_or_short", "plan": "direct"} if is_leaving else {}),
    }


def _wants_out(prompt: Prompt) -> bool:
    """Whether the message, or the reply to a question, ends the session."""
    return bool(understand(prompt.answer_to_it or prompt.question).told.get("leaves_session"))


def _see(prompt: Prompt) -> dict[str, Any]:
    reports = [describe_image(data) for data in prompt.images]
    return {
        "summary": "\n".join(report.summary for report in reports),
        "entities": list(dict.fromkeys(name for report in reports for name in report.entities)),
        "tables": [table for report in reports for table in report.tables],
        "warnings": list(dict.fromkeys(text for report in reports for text in report.warnings)),
    }


def _look(prompt: Prompt) -> dict[str, Any]:
    return {"answer": "\n\n".join(look(data, prompt.question) for data in prompt.images)}


def _fold(prompt: Prompt) -> dict[str, Any]:
    return {"summary": summarise(prompt)}


def _rank(prompt: Prompt) -> dict[str, Any]:
    """The passages that share words with the question, those with the most common words first."""
    question_terms = set(content_terms(prompt.question))
    common_counts = {
        passage.number: len(question_terms & set(content_terms(passage.text)))
        for passage in prompt.passages
    }
    return {
        "ranking": sorted(
            (number for number in common_counts if common_counts[number]),
            key=lambda number: -common_counts[number],
        )
    }


_WORKS: tuple[tuple[frozenset[str], _Work], ...] = (
    (frozenset({"intent", "plan"}), _plan),
    (frozenset({"question", "choices"}), lambda prompt: clarify(prompt) or {}),
    (frozenset({"order", "since"}), lambda prompt: understand(prompt.question).past(prompt) or {}),
    (
        frozenset({"scope", "what"}),
        lambda prompt: understand(prompt.question).told.get("forget", {}),
    ),
    (frozenset({"steps"}), lambda prompt: {"steps": planned_calls(prompt)}),
    (frozenset({"fits", "name", "examples"}), describe_subject),
    (frozenset({"facts", "preferences", "tasks"}), learned),
    (frozenset({"summary", "entities"}), _see),
    (frozenset({"summary"}), _fold),
    (frozenset({"answer"}), _look),
    (frozenset({"numbers"}), lambda prompt: {"numbers": chosen(prompt)}),
    (frozenset({"unsupported"}), check_entries),
    (frozenset({"stated", "refuses"}), mark_answer),
    (frozenset({"ranking"}), _rank),
)
