"""Material of an answer: passages, conversation and memory, within one budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from rich_agent.domain.budget import PromptBudget, fit_history, fit_passages
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.tables import declarations
from rich_agent.domain.text import MESSAGE_TOKENS, estimate_tokens
from rich_agent.domain.tools import ToolSpec
from rich_agent.graph.acting.offering import (
    action_slots,
    callable_tools,
    files_with_tables,
    rounds_for_prompt,
    tool_passages,
)
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState, request_of
from rich_agent.graph.views import (
    clocks_of,
    conversation_slots,
    forwarded_slot,
    history_of,
    passages_of,
    photo_of,
    present_of,
    question_of,
)
from rich_agent.ports.models import Prompt
from rich_agent.prompts import material_in, render_prompt

PASSAGE_SHARE = 0.5
"""Part of the prompt's tokens that passages may take; the rest is conversation and memory."""
TOOL_SHARE = 0.4
"""Part of the prompt's tokens that may be spent on what tools gave."""


@dataclass(frozen=True, slots=True)
class Material:
    """The material of an answer: a prompt within its budget, and what in it can be cited.

    `passages` are in the order of their numbers; `source_text` is all that the prompt holds besides
    instructions. `needs_grounds` when the answer has to rest on the passages; `is_shortened` when
    the user's own words are too long to be read whole.
    """

    prompt: Prompt
    passages: list[Passage]
    source_text: str
    needs_grounds: bool
    is_shortened: bool


async def gather_material(state: TurnState, services: Services) -> Material:
    """The prompt of N6. An answer about the conversation itself needs no passage.

    What the turn's images show comes behind the passages, unless nothing has to be looked up; then
    comes what tools gave.
    """
    plan, tools = state["routing"]["plan"], await callable_tools(state, services)
    slots, room = fit_slots("N6_synthesize", await _slots(state, tools, services), services)
    for_tools = round(room.whole * TOOL_SHARE) if state.get("acting", {}).get("rounds") else 0
    most = min(round(room.whole * PASSAGE_SHARE), max(0, room.left - for_tools))
    passages = fit_passages(passages_of(state), most, room.count)
    citable = [*passages, *photo_of(state)] if plan != "direct" else passages
    slots["image_number"] = len(passages) + 1 if len(citable) > len(passages) else 0
    rounds = rounds_for_prompt(state, len(citable) + 1, for_tools)
    tool_results = "\n".join(result for one in rounds for result in one.results)
    prompt = render_prompt("N6_synthesize", **{**slots, "passages": passages})
    cost = sum(map(room.count, (prompt.system, prompt.user, tool_results))) + 2 * MESSAGE_TOKENS
    history = fit_history(history_of(state), room.whole - cost, room.count)
    history_texts = (text for _, text in history)
    is_shortened = (slots["question"], slots["forwarded"]) != (
        question_of(state),
        forwarded_slot(state),
    )
    return Material(
        prompt=replace(prompt, history=history, tools=tools, rounds=rounds),
        passages=[*citable, *tool_passages(state)],
        source_text="\n".join(
            [
                material_in(prompt.system),
                prompt.user,
                tool_results,
                *history_texts,
                slots["present"],
                clocks_of(state, services.now()).now_in_full(),
            ]
        ),
        needs_grounds=bool(plan != "direct" and citable and not slots["past_turns"]),
        is_shortened=is_shortened,
    )


async def _slots(state: TurnState, tools: Sequence[ToolSpec], services: Services) -> dict[str, Any]:
    table_tool = next((tool.name for tool in tools if tool.reads_files), "")
    return {
        "present": present_of(state, services.now()),
        "plan": state["routing"]["plan"],
        "passages": [],
        "image_number": 0,
        "audience": request_of(state).audience,
        "action": await action_slots(tools, state, services),
        "tables": await _tables(state, services) if table_tool else "",
        "table_tool": table_tool,
        "question": question_of(state),
        **conversation_slots(state),
        "files_came": len(state.get("files", {}).get("used", ())),
    }


async def _tables(state: TurnState, services: Services) -> str:
    """The tables of the message's files as a query names them, "" without any."""
    files = await files_with_tables(state, services)
    return declarations([(file.name, table) for file in files for table in file.tables])


# The most wanted first; what is not named here comes last.
_SHARES: Mapping[str, float] = MappingProxyType(
    {
        "question": 0.5,
        "forwarded": 0.4,
        "tools": 0.15,
        "tables": 0.3,
        "callable": 0.6,
        "reply_to": 0.2,
        "image_summary": 0.2,
        "image_answers": 0.15,
        "past_turns": 0.25,
        "preferences": 0.1,
        "memory": 0.25,
        "conversation_summary": 0.12,
    }
)
_OTHER_SHARE = 0.15
FORM_TOKENS: Mapping[str, int] = MappingProxyType(
    {
        "N4_build_effective_query": 1_150,
        "N6_check": 380,
        "N14_search_further": 350,
        "N6_plan_calls": 300,
        "N10_take_answer": 100,
        "N7_persist": 1_100,
    }
)
"""Tokens of the schema that goes along with a prompt for structured output."""
_OURS = 1.1
_OURS_WHOLE = frozenset({"plan", "present"})
_TAGS_AND_HEADINGS = 250
"""Tokens of what a prompt's template adds around the slots that are filled."""
_LEAST_SLOTS = 400
"""Tokens for the slots of a prompt whose template takes the whole budget.

A prompt without the user's words, or that hides the tools, leads to a false plan.
"""


def fit_slots(
    name: str, slots: Mapping[str, Any], services: Services
) -> tuple[dict[str, Any], PromptBudget]:
    """The slots of a prompt, cut to their shares of the budget, and the room that they leave.

    The whole prompt stays within MAX_CONTEXT_TOKENS: what the template takes by itself counts too.
    In a window that is too small for a template, a short message still stands behind it.
    """
    limits, count = services.limits, services.count_tokens
    form = FORM_TOKENS.get(name, 0)
    budget = (limits.form_tokens if form else None) or limits.max_context_tokens
    uncut_slots = {
        key: value
        for key, value in slots.items()
        if key in _OURS_WHOLE or not isinstance(value, (str, list, dict))
    }
    bare = render_prompt(
        name, **uncut_slots, **{key: type(slots[key])() for key in slots if key not in uncut_slots}
    )
    template_text = f"{bare.system}{bare.user}"
    # What we wrote ourselves is English, of which the likely number is known.
    own = (
        min(count(template_text), round(_OURS * estimate_tokens(template_text)))
        + 2 * MESSAGE_TOKENS
    )
    slot_tokens = max(_LEAST_SLOTS, budget - own - form - _TAGS_AND_HEADINGS)
    room = PromptBudget(budget, count, slot_tokens)
    cut_order = sorted(
        (key for key in slots if key not in uncut_slots),
        key=lambda key: list(_SHARES).index(key) if key in _SHARES else len(_SHARES),
    )
    cut_slots = {key: room.fit(slots[key], _SHARES.get(key, _OTHER_SHARE)) for key in cut_order}
    return {**uncut_slots, **cut_slots}, room
