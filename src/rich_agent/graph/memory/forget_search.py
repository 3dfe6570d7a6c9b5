"""Finds the stored texts that a user wants to be forgotten; deletes nothing."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from rich_agent.domain.budget import first_within
from rich_agent.domain.memory.items import LongTermMemory, key_of, mark_of
from rich_agent.domain.memory.merging import KeptText, Traces, sentences_of, terms_of
from rich_agent.domain.routing.plan import ForgetWish
from rich_agent.domain.text import shorten
from rich_agent.domain.user_files import UserFile
from rich_agent.graph.memory.window import turns_of
from rich_agent.graph.services import NodeContext, Services, with_retries
from rich_agent.graph.state import TurnState, request_of
from rich_agent.graph.views import reply_to_of, request_id_of
from rich_agent.ports.memories import KeptThing, KeptTurn
from rich_agent.prompts import render_prompt

CHOICE_SHARE = 0.4
"""The part of a prompt's tokens for the texts among which a model chooses."""
_LONGEST_PIECE = 400
_CHOICE_TOKENS, _NUMBER_TOKENS = 100, 6
"""The tokens of a choice, without its numbers, and of each number."""


@dataclass(frozen=True, slots=True)
class ForgetMatches:
    """The stored texts about a subject."""

    about_subject: tuple[KeptText, ...] = ()
    """The texts that say something about the subject."""
    mentions: tuple[KeptText, ...] = ()
    """The texts that only mention it."""
    words: tuple[str, ...] = ()
    """The words by which such texts are found."""
    facts: tuple[str, ...] = ()
    """The memories about the subject."""
    is_last: bool = False
    """Whether the match is just what the user said in the turn before."""


async def find_matches(wish: ForgetWish, state: TurnState, context: NodeContext) -> ForgetMatches:
    """The stored texts that a request to forget means.

    A model chooses the texts about the subject. Code adds what belongs to these: the turns that
    taught them, their repetitions, and other texts that contain the words.

    Raises: UpstreamError, DailyLimitError if the model fails.
    """
    pieces = await _pieces(state, context.services)
    if wish.scope == "everything":
        return ForgetMatches(tuple(pieces))
    if wish.scope == "last":
        return await asyncio.to_thread(_last_turn, pieces, state)
    words = Traces.of(wish.traces)
    candidates = await asyncio.to_thread(_candidates, pieces, words, _in_window(state))
    choice = await _choose(wish, candidates, context)
    return await asyncio.to_thread(_expand_choice, pieces, choice, wish.traces)


async def _pieces(state: TurnState, services: Services) -> list[KeptText]:
    """All stored texts of the user: memories, things of features, files and messages."""
    user_id, request = state["user"]["telegram_user_id"], request_of(state)
    memory = await services.memories.load(user_id)
    things = await services.erasure.things(user_id)
    files = await services.user_files.all_of(user_id)
    stored_turns = await services.erasure.turns(user_id)
    stored_turn_ids = {turn.request_id for turn in stored_turns}
    window_turns = [
        KeptTurn(turn.request_id, turn.question, turn.answer)
        for turn in turns_of(state["messages"], user_id, request.thread_id)
        if turn.request_id not in stored_turn_ids
    ]
    turns = [
        turn for turn in [*stored_turns, *window_turns] if turn.request_id != request.request_id
    ]
    return await asyncio.to_thread(
        lambda: [
            *_memory_pieces(memory),
            *map(_thing, things),
            *map(_file, files),
            *map(_message, turns),
        ]
    )


def _memory_pieces(memory: LongTermMemory) -> list[KeptText]:
    """The items of the memory, and the sentences of the summary."""
    items = [
        KeptText(
            "memory",
            mark_of(kind, item),
            item.text,
            item.text,
            terms_of(item.text),
            item.request_id,
        )
        for kind, item in memory
    ]
    sentences = (sentence.strip() for sentence in sentences_of(memory.conversation_summary))
    return [*items, *(KeptText("summary", one, one, one, terms_of(one)) for one in sentences)]


def _thing(thing: KeptThing) -> KeptText:
    """The stored thing of a feature as a text."""
    return KeptText("thing", thing.key, thing.text, thing.title, terms_of(thing.text))


def _file(file: UserFile) -> KeptText:
    """A stored file as a text."""
    description = f"{file.name} {file.address}, {file.media_type}, {file.sent_at:%Y-%m-%d %H:%M}"
    return KeptText("file", str(file.id), description, file.name, terms_of(file.name))


def _message(turn: KeptTurn) -> KeptText:
    """A stored turn as a text."""
    label = turn.question or turn.answer
    return KeptText("message", turn.request_id, turn.text, label, terms_of(turn.text))


def turns_until(state: TurnState) -> list[str]:
    """The ids of the turns in the state, this one last."""
    return [*_in_window(state), request_of(state).request_id]


def _in_window(state: TurnState) -> list[str]:
    """The ids of the turns in the state before this one, oldest first."""
    turn_ids = dict.fromkeys(request_id_of(message) for message in state["messages"])
    own_id = request_of(state).request_id
    return [turn_id for turn_id in turn_ids if turn_id != own_id]


def _last_turn(pieces: Sequence[KeptText], state: TurnState) -> ForgetMatches:
    """The turn before, or the turn of the message replied to, with the memories from it."""
    turn = _turn_of_reply(pieces, state) if reply_to_of(state) else _before(pieces, state)
    if turn is None:
        return ForgetMatches()
    question = turn.shown
    matching_pieces = [
        piece
        for piece in pieces
        if piece == turn or (piece.kind == "memory" and _is_taught_by(piece, turn.key, question))
    ]
    matches = _expand_choice(pieces, matching_pieces, ())
    return ForgetMatches(
        matches.about_subject,
        facts=matches.facts,
        is_last=not reply_to_of(state) and len(matches.about_subject) == len(matching_pieces),
    )


def _is_taught_by(item: KeptText, request_id: str, question: str) -> bool:
    """Whether the memory comes from this turn, or repeats its question."""
    return item.taught_by == request_id or Traces.of((), [item.text]).occur_in(question)


def _before(pieces: Sequence[KeptText], state: TurnState) -> KeptText | None:
    """The turn before this one; None if there is none, or if it was a request to forget."""
    request = request_of(state)
    if request.replaces or request.revision:
        return None  # a repeated request was done already, and means no older turn
    last_id = _in_window(state)[-1:]
    if not last_id or last_id[0] in state.get("turns_at_wish", ()):
        return None  # nothing was said after the last request to forget
    return next(
        (piece for piece in pieces if piece.kind == "message" and piece.key in last_id), None
    )


def _turn_of_reply(pieces: Sequence[KeptText], state: TurnState) -> KeptText | None:
    """The turn of the message replied to: one with its text, else one with its words."""
    reply = reply_to_of(state) or {"quote": "", "text": ""}
    text = reply["quote"] or reply["text"]
    traces, text_key = Traces.of((), [text]), key_of(text)
    messages = [piece for piece in pieces if piece.kind == "message"]
    similar = (piece for piece in reversed(messages) if traces.occur_among(piece.terms))
    verbatim = (
        piece for piece in reversed(messages) if text_key and text_key in key_of(piece.text)
    )
    return next(verbatim, None) or next(similar, None)


def _candidates(
    pieces: Sequence[KeptText], traces: Traces, in_window: Collection[str]
) -> list[KeptText]:
    """The texts that may be about the subject, most likely first.

    Messages are included if they contain the words, or belong to the present conversation.
    """
    weight_by_text = {(piece.kind, piece.key): traces.count_among(piece.terms) for piece in pieces}
    candidates = [
        piece
        for piece in pieces
        if piece.kind != "message"
        or weight_by_text[piece.kind, piece.key]
        or piece.key in in_window
    ]
    return sorted(candidates, key=lambda piece: -weight_by_text[piece.kind, piece.key])


async def _choose(
    wish: ForgetWish, candidates: Sequence[KeptText], context: NodeContext
) -> list[KeptText]:
    """The texts about the subject, as a model chooses them."""
    services = context.services
    budget_tokens = round(services.limits.max_context_tokens * CHOICE_SHARE)
    entries = first_within(
        candidates,
        budget_tokens,
        lambda piece: services.count_tokens(_short(piece)) + _ENTRY_TOKENS,
    )
    if not entries:
        return []
    prompt = render_prompt(
        "N4_choose_forgotten",
        what=shorten(wish.what, _LONGEST_PIECE),
        words=[shorten(word, _LONGEST_PIECE) for word in wish.words[:_MOST_WORDS]],
        entries=[{"kind": piece.kind, "text": _short(piece)} for piece in entries],
    )
    prompt = replace(prompt, most_tokens=_CHOICE_TOKENS + len(entries) * _NUMBER_TOKENS)
    chosen_numbers = await with_retries(lambda: services.chooser.choose(prompt), context)
    return [
        piece
        for piece_number, piece in enumerate(entries, start=1)
        if piece_number in chosen_numbers
    ]


_ENTRY_TOKENS = 16
"""The tokens that the tags of an entry take."""
_MOST_WORDS = 30


def _short(piece: KeptText) -> str:
    """The text of a piece, shortened for the prompt."""
    return shorten(piece.text, _LONGEST_PIECE)


def _expand_choice(
    pieces: Sequence[KeptText], choice: Sequence[KeptText], words: Sequence[str]
) -> ForgetMatches:
    """The chosen texts with all that belongs to them, and texts that only mention the subject."""
    memories = [piece for piece in choice if piece.kind == "memory"]
    facts = tuple(item.text for item in memories)
    source_turn_ids = {item.taught_by for item in memories}
    fact_traces = Traces.of((), facts)
    about_subject = [
        piece
        for piece in pieces
        if piece in choice
        or (piece.kind == "message" and piece.key in source_turn_ids)
        or fact_traces.occur_among(piece.terms)
    ]
    word_traces = Traces.of(words)
    mentions = [
        piece
        for piece in pieces
        if piece not in about_subject and word_traces.count_among(piece.terms)
    ]
    return ForgetMatches(tuple(about_subject), tuple(mentions), tuple(words), facts)
