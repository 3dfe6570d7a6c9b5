"""The material of an answer: its passages within the budget of the turn's prompt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich_agent.domain.budget import PromptBudget, fit_passages
from rich_agent.domain.persona import Persona
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
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.turn_prompt import (
    TurnPrompt,
    cut_to_shares,
    turn_prompt_of,
    without_texts,
)
from rich_agent.graph.views import (
    answer_persona_of,
    clocks_of,
    conversation_slots,
    forwarded_slot,
    passages_of,
    persona_of,
    photo_of,
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
    turn_prompt: TurnPrompt
    slots: Mapping[str, Any]
    """The slots that the answer adds to the turn's prompt, cut to the budget."""
    source_text: str
    """All that the prompt holds except its instructions."""
    needs_grounds: bool
    """Whether the answer has to rest on the passages."""
    is_shortened: bool
    """Whether the user's own words were cut, because they are too long."""

    def render(self, passages: Sequence[Passage]) -> Prompt:
        """The prompt with other passages, without tools and their calls."""
        return self.turn_prompt.render("N6_synthesize", {**self.slots, "passages": passages})


async def gather_material(state: TurnState, context: NodeContext) -> Material:
    """The material for the prompt of N6.

    Numbers go to passages first, then to the images, then to results of tools. Without a search,
    images have no number. An answer about the conversation itself needs no passage.
    """
    services, turn_prompt = context.services, await turn_prompt_of(state, context)
    plan, tools = state["routing"]["plan"], await callable_tools(state, services)
    slots, budget = turn_prompt.fit("N6_synthesize", await _slots(state, tools, services))
    tool_tokens = round(budget.whole * TOOL_SHARE) if state.get("acting", {}).get("rounds") else 0
    passage_tokens = min(round(budget.whole * PASSAGE_SHARE), max(0, budget.left - tool_tokens))
    passages = fit_passages(passages_of(state), passage_tokens, budget.count)
    citable = [*passages, *photo_of(state)] if plan != "direct" else passages
    slots["image_number"] = len(passages) + 1 if len(citable) > len(passages) else 0
    rounds = rounds_for_prompt(state, len(citable) + 1, tool_tokens)
    prompt = turn_prompt.render("N6_synthesize", {**slots, "passages": passages})
    message, user_texts = turn_prompt.slots, (question_of(state), forwarded_slot(state))
    return Material(
        prompt=replace(prompt, tools=tools, rounds=rounds),
        passages=[*citable, *tool_passages(state)],
        prompt_passages=passages,
        turn_prompt=turn_prompt,
        slots=slots,
        source_text="\n".join(
            [
                *(persona.name for persona in _personas(state)),
                *message["preferences"],
                message["conversation_summary"],
                material_in(prompt.user),
                *(result for tool_round in rounds for result in tool_round.results),
                *(text for _, text in prompt.history),
                message["present"],
                clocks_of(state, services.now()).now_in_full(),
            ]
        ),
        needs_grounds=bool(plan != "direct" and citable and not slots["past_turns"]),
        is_shortened=(message["question"], message["forwarded"]) != user_texts,
    )


async def _slots(state: TurnState, tools: Sequence[ToolSpec], services: Services) -> dict[str, Any]:
    """The slots that an answer adds to the turn's prompt, before they are cut to the budget."""
    table_tool = next((tool_spec.name for tool_spec in tools if tool_spec.reads_files), "")
    conversation = conversation_slots(state)
    added_slots = (
        "language",
        "web_missing",
        "past_turns",
        "past_searched",
        "image_answers",
        "unread",
    )
    return {
        "plan": state["routing"]["plan"],
        "passages": [],
        "image_number": 0,
        "action": action_slots(tools, state, services),
        "answer_persona": answer_persona_of(state),
        "tables": await _tables(state, services) if table_tool else "",
        "table_tool": table_tool,
        **{name: conversation[name] for name in added_slots},
        "files_came": len(state.get("files", {}).get("used", ())),
    }


def _personas(state: TurnState) -> Iterator[Persona]:
    """The personas in the prompt. An answer may say their names; nothing else of them is known."""
    yield from filter(None, (persona_of(state), answer_persona_of(state)))


async def _tables(state: TurnState, services: Services) -> str:
    """The tables of the message's files, declared as a query names them; "" without any."""
    files = await files_with_tables(state, services)
    return declarations([(file.name, table) for file in files for table in file.tables])


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
    form_tokens = services.schema_tokens.get(name, 0)
    budget_tokens = services.limits.prompt_tokens(has_form=form_tokens > 0)
    empty_prompt = render_prompt(name, **without_texts(slots))
    template_tokens = estimate_tokens(f"{empty_prompt.system}{empty_prompt.user}")
    slot_tokens = max(
        _LEAST_SLOTS,
        budget_tokens - template_tokens - 2 * MESSAGE_TOKENS - form_tokens - _TAGS_AND_HEADINGS,
    )
    budget = PromptBudget(budget_tokens, services.count_tokens, slot_tokens)
    return cut_to_shares(slots, budget), budget
