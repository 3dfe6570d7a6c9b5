"""Recognises the wanted work by a schema's property names, and returns the result as JSON."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from rich_agent_sandbox.model.acting.act import asks_for_action
from rich_agent_sandbox.model.answering.checking import check_entries
from rich_agent_sandbox.model.answering.domain_titles import describe_subject
from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.summarising import summarise
from rich_agent_sandbox.model.language.days import today_in
from rich_agent_sandbox.model.language.phrases import images_named
from rich_agent_sandbox.model.memory.forgetting import choose_entries, read_wish
from rich_agent_sandbox.model.memory.learning import KINDS, read_line, teaches, update_memory
from rich_agent_sandbox.model.planning.clarifying import clarify, is_new_request
from rich_agent_sandbox.model.planning.files_wanted import files_wanted, wants_all
from rich_agent_sandbox.model.planning.past_questions import past_wanted
from rich_agent_sandbox.model.planning.plan import image_question, is_on_picture, plan_answer
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.schema import (
    Schema,
    fill,
    property_names,
)
from rich_agent_sandbox.model.vision.describing import describe_image
from rich_agent_sandbox.model.vision.image_questions import look

# What is to be done needs nothing that is written somewhere.
_TO_ACT: Mapping[str, Any] = {
    "action": True,
    "intent": "general_question",
    "plan": "direct",
    "web": "never",
    "reason": "The message asks for something to be done.",
    "query": "",
    "queries": [],
}
_Work = Callable[[Prompt], Mapping[str, Any]]


def fill_for_prompt(schema: Schema, prompt: Prompt) -> dict[str, Any]:
    """An object that fits `schema`, computed from the prompt if its names are known.

    Raises: ImageUnreadableError.
    """
    work = _work_for(property_names(schema), prompt)
    return fill(schema, work(prompt) if work else {})


def is_known(schema: Schema, prompt: Prompt) -> bool:
    """Whether the property names show the wanted work (a summary alone does not)."""
    return _work_for(property_names(schema), prompt) not in (None, _fold)


def _work_for(names: frozenset[str], prompt: Prompt) -> _Work | None:
    for needed, work in _WORKS:
        if needed <= names and (work not in (_see, _look) or prompt.images):
            return work
    return None


def _plan(prompt: Prompt) -> dict[str, Any]:
    plan, asked = plan_answer(prompt), clarify(prompt)
    clarification = {"question": asked.question, "choices": list(asked.choices)} if asked else None
    acts = asks_for_action(prompt.question)
    wish = None if acts else read_wish(prompt)
    past = past_wanted(prompt)
    return {
        **({"clarification": clarification} if clarification else {}),
        **({"forget": wish} if wish else {}),
        **({"about_the_past": past} if past else {}),
        "language": language_wanted(prompt),
        "new_request": is_new_request(prompt) and not (is_on_picture(prompt) or prompt.files_came),
        "intent": plan.intent,
        "plan": plan.plan,
        "web": plan.web,
        "teaches": teaches(prompt.question),
        "reason": plan.reason,
        "query": plan.query,
        "queries": list(plan.queries),
        "image_question": image_question(prompt),
        "image_numbers": images_named(prompt.question),
        "files": files_wanted(prompt),
        "whole_file": wants_all(prompt),
        **(_TO_ACT if acts else {}),
    }


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


def _remember(prompt: Prompt) -> dict[str, Any]:
    """New memories with the numbers of replaced entries, and tasks that were done."""
    lines = [f"[{entry.kind}] {entry.text}" for entry in prompt.entries] or [*prompt.memory]
    numbers = {f"[{entry.kind}] {entry.text}": entry.number for entry in prompt.entries}
    update = update_memory(prompt.question, lines, today_in(prompt.instructions))
    kept: dict[str, Any] = {kind: [] for kind in KINDS}
    replaced: set[str] = set()
    for item in update.remembered:
        old = next(filter(item.replaces, update.retracted), "")
        replaced.add(old)
        action = {"action": "replace" if old else "add", "number": numbers.get(old, 0)}
        kept[item.kind].append({**asdict(item), "about": item.about or "user", **action})
    for line in (line for line in update.retracted if line not in replaced):
        kind, topic, text = read_line(line)
        removal = {"text": text, "topic": topic, "action": "remove"}
        kept[kind].append({**removal, "number": numbers.get(line, 0)})
    retracted = list(update.retracted)
    return {**kept, "retract": retracted, "forget": retracted}


def _choose(prompt: Prompt) -> dict[str, Any]:
    return {"numbers": choose_entries(prompt)}


def _fold(prompt: Prompt) -> dict[str, Any]:
    return {"summary": summarise(prompt)}


_WORKS: tuple[tuple[frozenset[str], _Work], ...] = (
    (frozenset({"intent", "plan"}), _plan),
    (frozenset({"fits", "name", "examples"}), describe_subject),
    (frozenset({"facts", "preferences", "tasks"}), _remember),
    (frozenset({"summary", "entities"}), _see),
    (frozenset({"summary"}), _fold),
    (frozenset({"answer"}), _look),
    (frozenset({"numbers"}), _choose),
    (frozenset({"unsupported"}), check_entries),
)
