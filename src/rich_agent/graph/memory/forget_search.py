"""Finds what a user wants forgotten in everything that is stored about them; deletes nothing."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

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
"""Part of a prompt's tokens that the pieces may take among which a model chooses."""
_LONGEST_PIECE = 400


@dataclass(frozen=True, slots=True)
class ForgetMatches:
    """The texts that tell of a subject, and those that only name it, with its traces.

    The traces are `words` and `facts`. `is_last`: it is what the user said just before, and nothing
    else.
    """

    about_subject: tuple[KeptText, ...] = ()
    mentions: tuple[KeptText, ...] = ()
    words: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    is_last: bool = False


async def find_matches(wish: ForgetWish, state: TurnState, context: NodeContext) -> ForgetMatches:
    """Find the texts that the wish means.

    A model says which pieces tell of a subject. Code sees to it that no piece is overlooked: what
    taught or repeats a chosen one is told too, and whatever else holds the words is named.

    Raises: UpstreamError, DailyLimitError if the model gives no choice.
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
    user_id, request = state["user"]["telegram_user_id"], request_of(state)
    memory = await services.memories.load(user_id)
    things = await services.erasure.things(user_id)
    files = await services.user_files.all_of(user_id)
    stored_turns = await services.erasure.turns(user_id)
    stored_ids = {turn.request_id for turn in stored_turns}
    window_turns = [
        KeptTurn(turn.request_id, turn.question, turn.answer)
        for turn in turns_of(state["messages"], user_id, request.thread_id)
        if turn.request_id not in stored_ids
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
    return KeptText("thing", thing.key, thing.text, thing.title, terms_of(thing.text))


def _file(file: UserFile) -> KeptText:
    description = f"{file.name} {file.address}, {file.media_type}, {file.sent_at:%Y-%m-%d %H:%M}"
    return KeptText("file", str(file.id), description, file.name, terms_of(file.name))


def _message(turn: KeptTurn) -> KeptText:
    label = turn.question or turn.answer
    return KeptText("message", turn.request_id, turn.text, label, terms_of(turn.text))


def turns_until(state: TurnState) -> list[str]:
    """The requests of the turns that the state holds, with this one as the last."""
    return [*_in_window(state), request_of(state).request_id]


def _in_window(state: TurnState) -> list[str]:
    """The turns before this one that the state holds, oldest first."""
    ids = dict.fromkeys(request_id_of(message) for message in state["messages"])
    own = request_of(state).request_id
    return [one for one in ids if one != own]


def _last_turn(pieces: Sequence[KeptText], state: TurnState) -> ForgetMatches:
    """The turn before, or the one of the message replied to, and what it taught."""
    turn = _turn_of_reply(pieces, state) if reply_to_of(state) else _before(pieces, state)
    if turn is None:
        return ForgetMatches()
    question = turn.shown
    matching = [
        piece
        for piece in pieces
        if piece == turn or (piece.kind == "memory" and _is_taught_by(piece, turn.key, question))
    ]
    matches = _expand_choice(pieces, matching, ())
    return ForgetMatches(
        matches.about_subject,
        facts=matches.facts,
        is_last=not reply_to_of(state) and len(matches.about_subject) == len(matching),
    )


def _is_taught_by(item: KeptText, request_id: str, question: str) -> bool:
    return item.taught_by == request_id or Traces.of((), [item.text]).occur_in(question)


def _before(pieces: Sequence[KeptText], state: TurnState) -> KeptText | None:
    request = request_of(state)
    if request.replaces or request.revision:
        return None  # "forget that" asked once more has been done, and means nothing older
    last = _in_window(state)[-1:]
    if not last or last[0] in state.get("turns_at_wish", ()):
        return None  # nothing was said since a wish to forget, which is over
    return next((piece for piece in pieces if piece.kind == "message" and piece.key in last), None)


def _turn_of_reply(pieces: Sequence[KeptText], state: TurnState) -> KeptText | None:
    reply = reply_to_of(state) or {"quote": "", "text": ""}
    text = reply["quote"] or reply["text"]
    traces, key = Traces.of((), [text]), key_of(text)
    messages = [piece for piece in pieces if piece.kind == "message"]
    telling = (piece for piece in reversed(messages) if traces.occur_among(piece.terms))
    verbatim = (piece for piece in reversed(messages) if key and key in key_of(piece.text))
    return next(verbatim, None) or next(telling, None)


def _candidates(
    pieces: Sequence[KeptText], traces: Traces, in_window: Collection[str]
) -> list[KeptText]:
    """Return the texts that may tell of the subject, likeliest first.

    Of the messages those that name it, and those of the running conversation.
    """
    weight = {(piece.kind, piece.key): traces.count_among(piece.terms) for piece in pieces}
    likely = [
        piece
        for piece in pieces
        if piece.kind != "message" or weight[piece.kind, piece.key] or piece.key in in_window
    ]
    return sorted(likely, key=lambda piece: -weight[piece.kind, piece.key])


async def _choose(
    wish: ForgetWish, candidates: Sequence[KeptText], context: NodeContext
) -> list[KeptText]:
    """The pieces that tell of the subject, as a model reads them."""
    services = context.services
    budget = round(services.limits.max_context_tokens * CHOICE_SHARE)
    entries = first_within(
        candidates, budget, lambda piece: services.count_tokens(_short(piece)) + _ENTRY_TOKENS
    )
    if not entries:
        return []
    prompt = render_prompt(
        "N4_choose_forgotten",
        what=shorten(wish.what, _LONGEST_PIECE),
        words=[shorten(word, _LONGEST_PIECE) for word in wish.words[:_MOST_WORDS]],
        entries=[{"kind": piece.kind, "text": _short(piece)} for piece in entries],
    )
    numbers = await with_retries(lambda: services.chooser.choose(prompt), context)
    return [piece for number, piece in enumerate(entries, start=1) if number in numbers]


_ENTRY_TOKENS = 16
"""What the tags of an entry take."""
_MOST_WORDS = 30


def _short(piece: KeptText) -> str:
    return shorten(piece.text, _LONGEST_PIECE)


def _expand_choice(
    pieces: Sequence[KeptText], choice: Sequence[KeptText], words: Sequence[str]
) -> ForgetMatches:
    """Sort out what goes with the chosen pieces, and what only names them."""
    items = [piece for piece in choice if piece.kind == "memory"]
    facts = tuple(item.text for item in items)
    taught = {item.taught_by for item in items}
    telling = Traces.of((), facts)
    about_subject = [
        piece
        for piece in pieces
        if piece in choice
        or (piece.kind == "message" and piece.key in taught)
        or telling.occur_among(piece.terms)
    ]
    naming = Traces.of(words)
    mentions = [
        piece for piece in pieces if piece not in about_subject and naming.count_among(piece.terms)
    ]
    return ForgetMatches(tuple(about_subject), tuple(mentions), tuple(words), facts)
