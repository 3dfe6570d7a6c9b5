"""What an answer is written from: passages, conversation and memory, within one budget."""

from dataclasses import dataclass, replace

from rich_agent.domain.budget import fit_history, fit_passages
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.tokens import MESSAGE_TOKENS
from rich_agent.graph.answer.prompt_budget import fit_slots
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import (
    conversation_slots,
    history_of,
    passages_of,
    photo_of,
    question_of,
)
from rich_agent.ports.models import Prompt
from rich_agent.prompts import material_in, render_prompt

PASSAGE_SHARE = 0.5
"""Part of the prompt's tokens that passages may take; the rest is conversation and memory."""


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer is written from: a prompt within its budget, and what in it can be cited.

    `passages` are in the order of their numbers; `given` is all that the prompt holds besides
    instructions. `needs_grounds` when the answer has to rest on the passages; `is_shortened` when
    the user's own words are too long to be read whole.
    """

    prompt: Prompt
    passages: list[Passage]
    given: str
    needs_grounds: bool
    is_shortened: bool


def gather_material(state: TurnState, services: Services) -> Material:
    """The prompt of N6. An answer about the conversation itself needs no passage.

    What the turn's images show is the last passage, unless nothing has to be looked up.
    """
    plan = state["routing"]["plan"]
    slots, room = fit_slots(
        "N6_synthesize",
        {
            "today": services.now().date(),
            "plan": plan,
            "passages": [],
            "image_number": 0,
            "question": question_of(state),
            **conversation_slots(state),
        },
        services,
    )
    most = min(round(room.whole * PASSAGE_SHARE), room.left)
    passages = fit_passages(passages_of(state), most, room.count)
    citable = [*passages, *photo_of(state)] if plan != "direct" else passages
    slots["image_number"] = len(passages) + 1 if len(citable) > len(passages) else 0
    prompt = render_prompt("N6_synthesize", **{**slots, "passages": passages})
    spent = room.count(prompt.system) + room.count(prompt.user) + 2 * MESSAGE_TOKENS
    history = fit_history(history_of(state), room.whole - spent, room.count)
    said = (text for _, text in history)
    is_shortened = (slots["question"], slots["forwarded"]) != (
        question_of(state),
        state["input"].get("forwarded"),
    )
    return Material(
        prompt=replace(prompt, history=history),
        passages=citable,
        given="\n".join(
            [material_in(prompt.system), prompt.user, *said, f"{slots['today']:%A %x}"]
        ),
        needs_grounds=bool(plan != "direct" and citable and not slots["past_turns"]),
        is_shortened=is_shortened,
    )
