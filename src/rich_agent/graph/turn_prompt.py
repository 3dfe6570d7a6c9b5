"""The prompts of a turn: one beginning and conversation for all calls, and what each call adds.

Model servers reuse the beginning of a prompt that they have read before. So nothing that changes
with the message stands before the conversation, and a message of it never changes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from langchain_core.messages import BaseMessage

from rich_agent.domain.budget import PromptBudget, first_within, tokens_in
from rich_agent.domain.text import MESSAGE_TOKENS, TokenCounter, estimate_tokens, shorten
from rich_agent.graph.acting.offering import requestable_tools
from rich_agent.graph.services import Limits, NodeContext, Services
from rich_agent.graph.state import TurnState, request_of
from rich_agent.graph.views import (
    conversation_slots,
    entry_of,
    messages_before,
    persona_of,
    present_of,
    question_of,
    reader_of,
    request_id_of,
)
from rich_agent.ports.models import Prompt
from rich_agent.prompts import render_part, render_prompt

_WINDOW_SHARE = 0.3
"""The part of a prompt's tokens for the conversation; beyond it, turns are folded."""
_LEAST_WINDOW_SHARE = 0.1
"""The part for the conversation in a window that is too small for the rest."""
_BEGINNING_TOKENS = 1_300
"""The usual tokens of the beginning."""
_BEGINNING_SHARE = 0.3
"""The part for the slots of the beginning."""
_CALL_SHARE = 0.15
"""The part that the user's message leaves for what a call adds."""
TITLE_CHARS = 80

# Slots are cut in this order; slots that are not listed come last.
_SLOT_SHARES: Mapping[str, float] = MappingProxyType(
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
        "entries": 0.25,
        "conversation_summary": 0.12,
        "source_names": 0.08,
    }
)
_OTHER_SHARE = 0.15
_UNCUT = frozenset({"plan", "present", "persona", "answer_persona"})
_ESTIMATE_RESERVE = 1.2
_TAGS_AND_HEADINGS = 150
"""The tokens that a prompt's template adds around its filled slots."""
_PLAN_TOKENS = 150
"""The tokens that a plan adds to a turn's prompt, besides its form."""
_JOINT_TOKENS = 2
"""The tokens that a message may have more than its parts."""
_LEAST_BEGINNING = 250
_LEAST_MESSAGE = 400
"""The tokens for slots in a window that is too small.

A prompt without the user's words, or without the tools, leads to a wrong plan.
"""
_LEAST_ADDED = 80
"""The tokens for what a call adds in such a window."""


@dataclass(frozen=True, slots=True)
class TurnPrompt:
    """The common part of the prompts of all calls of a turn, cut to the budget."""

    slots: Mapping[str, Any]
    """The slots of `beginning.md` and `turn.md`."""
    history: tuple[tuple[str, str], ...]
    """The conversation before this turn."""

    tokens: int
    """The tokens of all this."""
    limits: Limits
    schema_tokens: Mapping[str, int]
    count: TokenCounter

    def fit(self, name: str, slots: Mapping[str, Any]) -> tuple[dict[str, Any], PromptBudget]:
        """The slots that a call adds, cut to their shares, and the budget that is left.

        The whole prompt stays within MAX_CONTEXT_TOKENS, if its template leaves room for that.
        """
        form_tokens = self.schema_tokens.get(name, 0)
        budget_tokens = self.limits.prompt_tokens(has_form=form_tokens > 0)
        empty_user_text = self.render(name, without_texts(slots)).user
        turn_text = render_part("turn", **self.slots)
        template_tokens = _template_tokens(
            empty_user_text.removeprefix(turn_text.rstrip()), self.count
        )
        left_tokens = (
            budget_tokens - self.tokens - template_tokens - form_tokens - _TAGS_AND_HEADINGS
        )
        budget = PromptBudget(budget_tokens, self.count, max(_LEAST_ADDED, left_tokens))
        return cut_to_shares(slots, budget), budget

    def render(self, name: str, slots: Mapping[str, Any]) -> Prompt:
        """The prompt of a call with the slots that it adds."""
        return render_prompt(name, history=self.history, **self.slots, **slots)


@dataclass(frozen=True, slots=True)
class _Beginning:
    slots: Mapping[str, Any]
    tokens: int


@dataclass(frozen=True, slots=True)
class _Conversation:
    entries: tuple[tuple[str, str], ...]
    tokens: int


async def turn_prompt_of(state: TurnState, context: NodeContext) -> TurnPrompt:
    """The common part of the prompts of all calls of this turn.

    The beginning stays as it was for the first prompt of the turn.
    """
    services = context.services
    beginning, history = await _lasting_parts(state, context)
    count_tokens, most_tokens = services.count_tokens, services.limits.max_context_tokens
    tokens = beginning.tokens + history.tokens + 2 * MESSAGE_TOKENS
    message_tokens = max(_LEAST_MESSAGE, _room_tokens(tokens, services))
    message = cut_to_shares(
        _message(state, services), PromptBudget(most_tokens, count_tokens, message_tokens)
    )
    tokens += _part_tokens("turn", message, count_tokens)
    return TurnPrompt(
        {**beginning.slots, **message},
        history.entries,
        tokens,
        services.limits,
        services.schema_tokens,
        count_tokens,
    )


async def _lasting_parts(
    state: TurnState, context: NodeContext
) -> tuple[_Beginning, _Conversation]:
    """The beginning and the conversation, made once for all calls of a turn."""
    parts, messages = context.turn.prompt_parts, messages_before(state)
    if "beginning" not in parts:
        parts["beginning"] = await _beginning(state, context.services)
    key = tuple(message.id for message in messages)
    if key not in parts:
        parts[key] = _conversation(messages, context.services)
    return parts["beginning"], parts[key]


def _conversation(messages: Sequence[BaseMessage], services: Services) -> _Conversation:
    """The newest messages that fit into the window."""
    entries = [
        (pair, services.count_tokens(pair[1]) + MESSAGE_TOKENS)
        for pair in (_entry(message, services) for message in messages)
    ]
    newest = first_within(entries[::-1], window_tokens(services), itemgetter(1))
    return _Conversation(
        tuple(pair for pair, _ in newest[::-1]), sum(tokens for _, tokens in newest)
    )


def _room_tokens(tokens: int, services: Services) -> int:
    """The tokens that a plan and an answer leave for the user's message."""
    answer_tokens = services.limits.max_context_tokens
    form_tokens = services.schema_tokens["N4_build_effective_query"]
    plan_tokens = services.limits.prompt_tokens(has_form=True)
    return min(
        answer_tokens - tokens - round(answer_tokens * _CALL_SHARE),
        plan_tokens - tokens - form_tokens - _PLAN_TOKENS,
    )


def window_tokens(services: Services) -> int:
    """The tokens of the conversation in prompts. It depends on nothing that a turn changes."""
    limits = services.limits
    share_tokens = round(limits.max_context_tokens * _WINDOW_SHARE)
    room_tokens = _room_tokens(_BEGINNING_TOKENS + _LEAST_MESSAGE, services)
    return max(
        round(limits.max_context_tokens * _LEAST_WINDOW_SHARE), min(share_tokens, room_tokens)
    )


def tokens_by_turn(messages: Sequence[BaseMessage], services: Services) -> Mapping[str, int]:
    """The tokens of each turn in the conversation of prompts, by the id of its request."""
    tokens: Counter[str] = Counter()
    for message in messages:
        _, text = _entry(message, services)
        tokens[request_id_of(message)] += services.count_tokens(text) + MESSAGE_TOKENS
    return tokens


def _entry(message: BaseMessage, services: Services) -> tuple[str, str]:
    """A message of the conversation; a long one is cut, always in the same way.

    The question and the answer of a turn fit into the window together.
    """
    most_tokens, count = window_tokens(services) // 2 - MESSAGE_TOKENS, services.count_tokens
    role, text = entry_of(message)
    if count(text) <= most_tokens:
        return role, text
    _, empty_text = entry_of(message, without_texts)
    budget = PromptBudget(most_tokens, count, most_tokens - count(empty_text) - _JOINT_TOKENS)
    return entry_of(message, lambda texts: budget.fit(texts, 1.0))


async def _beginning(state: TurnState, services: Services) -> _Beginning:
    """The part of `beginning.md`, whose slots seldom change, within their part of the budget."""
    memory, most_tokens = state["memory"], services.limits.max_context_tokens
    names = await services.passages.names(reader_of(state))
    slots = {
        "audience": request_of(state).audience,
        "domain": services.domain.described(names.about, names.examples),
        "can_search_web": services.web is not None,
        "tools": await requestable_tools(state, services),
        "persona": persona_of(state),
        "preferences": memory.get("preferences", []),
        "conversation_summary": memory.get("conversation_summary", ""),
        "source_names": [shorten(name, TITLE_CHARS) for name in names.sources],
    }
    template_tokens = _part_tokens("beginning", without_texts(slots), services.count_tokens)
    room_tokens = _room_tokens(template_tokens, services) - _LEAST_MESSAGE
    part_tokens = min(round(most_tokens * _BEGINNING_SHARE), max(_LEAST_BEGINNING, room_tokens))
    budget = PromptBudget(most_tokens, services.count_tokens, part_tokens)
    cut_slots = cut_to_shares(slots, budget)
    return _Beginning(cut_slots, template_tokens + part_tokens - budget.left)


def _message(state: TurnState, services: Services) -> dict[str, Any]:
    """The slots of `turn.md`."""
    slots = conversation_slots(state)
    shared_slots = ("memory", "image_summary", "reply_to", "forwarded", "asked_back")
    return {
        "question": question_of(state),
        "present": present_of(state, services.now()),
        **{name: slots[name] for name in shared_slots},
    }


def cut_to_shares(slots: Mapping[str, Any], budget: PromptBudget) -> dict[str, Any]:
    """The slots, each cut to its share of the budget."""
    uncut_slots = {key: slot for key, slot in slots.items() if _is_uncut(key, slot)}
    cut_order = sorted(
        (key for key in slots if key not in uncut_slots),
        key=lambda key: list(_SLOT_SHARES).index(key) if key in _SLOT_SHARES else len(_SLOT_SHARES),
    )
    cut_slots = {
        key: budget.fit(slots[key], _SLOT_SHARES.get(key, _OTHER_SHARE)) for key in cut_order
    }
    return {**uncut_slots, **cut_slots}


def without_texts(slots: Mapping[str, Any]) -> dict[str, Any]:
    """The slots without the texts that may be cut."""
    return {key: slot if _is_uncut(key, slot) else type(slot)() for key, slot in slots.items()}


def _is_uncut(key: str, slot: object) -> bool:
    return key in _UNCUT or not isinstance(slot, (str, list, dict))


def _template_tokens(text: str, count: TokenCounter) -> int:
    """The tokens of a template's text, which is mostly English, so that an estimate is close."""
    return min(count(text), round(_ESTIMATE_RESERVE * estimate_tokens(text)))


def _part_tokens(name: str, slots: Mapping[str, Any], count: TokenCounter) -> int:
    """The tokens of a part of prompts."""
    template_tokens = _template_tokens(render_part(name, **without_texts(slots)), count)
    slot_tokens = (
        tokens_in(slot, count) for key, slot in slots.items() if not _is_uncut(key, slot)
    )
    return template_tokens + sum(slot_tokens)
