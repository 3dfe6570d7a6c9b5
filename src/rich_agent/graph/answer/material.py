"""The material of an answer: passages, conversation and memory, within one budget."""

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
"""The part of the prompt's tokens that passages may take; the rest is for conversation."""
TOOL_SHARE = 0.4
"""The part of the prompt's tokens that the results of tools may take."""


@dataclass(frozen=True, slots=True)
class Material:
    """The prompt of an answer, within its budget, and the passages that the answer can cite."""

    prompt: Prompt
    passages: list[Passage]
    """The citable passages, in the order of their numbers."""
    prompt_passages: Sequence[Passage]
    """The first of them, which stand in the prompt as passages."""
    slots: Mapping[str, Any]
    """The slots of the prompt, cut to the budget."""
    source_text: str
    """All that the prompt holds except its instructions."""
    needs_grounds: bool
    """Whether the answer has to rest on the passages."""
    is_shortened: bool
    """Whether the user's own words were cut, because they are too long."""

    def render(self, passages: Sequence[Passage]) -> Prompt:
        """Instructions and question of the prompt with other passages, without the conversation."""
        return render_prompt("N6_synthesize", **{**self.slots, "passages": passages})


async def gather_material(state: TurnState, services: Services) -> Material:
    """The material for the prompt of N6.

    Numbers go to passages first, then to the images, then to results of tools. Without a search,
    images have no number. An answer about the conversation itself needs no passage.
    """
    plan, tools = state["routing"]["plan"], await callable_tools(state, services)
    slots, budget = fit_slots("N6_synthesize", await _slots(state, tools, services), services)
    tool_tokens = round(budget.whole * TOOL_SHARE) if state.get("acting", {}).get("rounds") else 0
    passage_tokens = min(round(budget.whole * PASSAGE_SHARE), max(0, budget.left - tool_tokens))
    passages = fit_passages(passages_of(state), passage_tokens, budget.count)
    citable = [*passages, *photo_of(state)] if plan != "direct" else passages
    slots["image_number"] = len(passages) + 1 if len(citable) > len(passages) else 0
    rounds = rounds_for_prompt(state, len(citable) + 1, tool_tokens)
    tool_results = "\n".join(result for tool_round in rounds for result in tool_round.results)
    prompt = render_prompt("N6_synthesize", **{**slots, "passages": passages})
    texts = (prompt.system, prompt.user, tool_results)
    prompt_tokens = sum(map(budget.count, texts)) + 2 * MESSAGE_TOKENS
    history = fit_history(history_of(state), budget.whole - prompt_tokens, budget.count)
    history_texts = (text for _, text in history)
    user_texts = (question_of(state), forwarded_slot(state))
    return Material(
        prompt=replace(prompt, history=history, tools=tools, rounds=rounds),
        passages=[*citable, *tool_passages(state)],
        prompt_passages=passages,
        slots=slots,
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
        is_shortened=(slots["question"], slots["forwarded"]) != user_texts,
    )


async def _slots(state: TurnState, tools: Sequence[ToolSpec], services: Services) -> dict[str, Any]:
    """The slots of the prompt of N6, before they are cut to the budget."""
    table_tool = next((tool_spec.name for tool_spec in tools if tool_spec.reads_files), "")
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
    """The tables of the message's files, declared as a query names them; "" without any."""
    files = await files_with_tables(state, services)
    return declarations([(file.name, table) for file in files for table in file.tables])


# Slots are cut in this order; slots that are not listed come last.
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
        "N4_build_effective_query": 1_250,
        "N6_check": 400,
        "N14_search_further": 350,
        "N6_plan_calls": 300,
        "N10_take_answer": 100,
        "N7_persist": 1_100,
    }
)
"""The tokens of the schema that goes along with a prompt for structured output."""
_OURS = 1.1
_OURS_WHOLE = frozenset({"plan", "present"})
_TAGS_AND_HEADINGS = 250
"""The tokens that a prompt's template adds around its filled slots."""
_LEAST_SLOTS = 400
"""The tokens for the slots of a prompt whose template takes the whole budget.

A prompt without the user's words, or without the tools, leads to a wrong plan.
"""


def fit_slots(
    name: str, slots: Mapping[str, Any], services: Services
) -> tuple[dict[str, Any], PromptBudget]:
    """The slots of a prompt, cut to their shares of the budget, and the budget that is left.

    The whole prompt, with its template, stays within MAX_CONTEXT_TOKENS. In a window that is too
    small for the template, `_LEAST_SLOTS` tokens of slots still follow it.
    """
    limits, count = services.limits, services.count_tokens
    form_tokens = FORM_TOKENS.get(name, 0)
    budget_tokens = (limits.form_tokens if form_tokens else None) or limits.max_context_tokens
    uncut_slots = {
        key: value
        for key, value in slots.items()
        if key in _OURS_WHOLE or not isinstance(value, (str, list, dict))
    }
    empty_prompt = render_prompt(
        name,
        **uncut_slots,
        **{key: type(slots[key])() for key in slots if key not in uncut_slots},
    )
    template_text = f"{empty_prompt.system}{empty_prompt.user}"
    # The template is English, so that an estimate of its tokens is close.
    template_tokens = (
        min(count(template_text), round(_OURS * estimate_tokens(template_text)))
        + 2 * MESSAGE_TOKENS
    )
    slot_tokens = max(
        _LEAST_SLOTS, budget_tokens - template_tokens - form_tokens - _TAGS_AND_HEADINGS
    )
    slot_budget = PromptBudget(budget_tokens, count, slot_tokens)
    cut_order = sorted(
        (key for key in slots if key not in uncut_slots),
        key=lambda key: list(_SHARES).index(key) if key in _SHARES else len(_SHARES),
    )
    cut_slots = {
        key: slot_budget.fit(slots[key], _SHARES.get(key, _OTHER_SHARE)) for key in cut_order
    }
    return {**uncut_slots, **cut_slots}, slot_budget
