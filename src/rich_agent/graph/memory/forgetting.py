"""Forgets on request: finds what is meant, asks if it is more than the last message, deletes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from langchain_core.messages import RemoveMessage

from rich_agent.domain.memory.items import LongTermMemory
from rich_agent.domain.memory.merging import KeptKind, KeptText, Traces, forget
from rich_agent.domain.message import IncomingMessage, TurnRequest
from rich_agent.domain.routing.clarification import choice_index
from rich_agent.domain.routing.plan import SMALLTALK, ForgetWish, Routing
from rich_agent.domain.text import shorten
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.memory.forget_search import ForgetMatches, find_matches
from rich_agent.graph.origins import is_foreign
from rich_agent.graph.planning import answering_in, clarification_of, pending_question
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import (
    ClarificationState,
    ForgettingState,
    KeptReference,
    TurnState,
    TurnUpdate,
    read_request,
    request_of,
    request_to_state,
)
from rich_agent.graph.views import locale_of, request_id_of, words_of
from rich_agent.phrases import say
from rich_agent.ports.memories import Erased

ROUTING = Routing(SMALLTALK, "direct", rule="forget_wish")
"""How such a turn is answered: by the product itself. No word of the wish is kept in it."""
MOST_SHOWN = 30
_SHOWN_LENGTH = 90
_REMEMBERED: tuple[KeptKind, ...] = ("memory", "thing", "file")
_KINDS: tuple[KeptKind, ...] = (*_REMEMBERED, "message", "summary")


def forgetting_of(state: TurnState) -> ForgettingState:
    """The wish to forget of this turn and what came of it, {} without one."""
    return state["memory"].get("forgetting", {})


def awaits_deletion(state: TurnState) -> bool:
    """Whether the user was asked what to delete, and has answered."""
    return forgetting_of(state).get("status") == "asked"


async def heed(wish: ForgetWish, state: TurnState, context: NodeContext) -> TurnUpdate:
    """Forget what was said last at once; ask first about more, and where others have a say.

    When the model that judges fails, everything stays, and the answer says so.
    """
    services = context.services
    try:
        matches = await find_matches(wish, state, context)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("nothing_forgotten", error)
        return _with(state, {"status": "failed"})
    if not (matches.about_subject or matches.mentions):
        # The words of the wish go all the same.
        await services.erasure.erase(_erasure_of(state))
        return _with(state, {"status": "nothing"})
    forgetting: ForgettingState = {
        "status": "asked",
        "everything": wish.scope == "everything",
        "options": [[_reference(piece) for piece in option] for option in _options(matches)],
        "words": list(matches.words),
        "facts": list(matches.facts),
    }
    doubts = is_foreign(state) or request_of(state).is_unattended or not _is_plain(wish, state)
    if matches.is_last and not doubts:
        return await _delete(0, _with(state, forgetting), state, services)
    question = _question(matches, locale_of(state), is_everything=wish.scope == "everything")
    return {**_with(state, forgetting), "clarification": question}


def _is_plain(wish: ForgetWish, state: TurnState) -> bool:
    """Whether a wish to forget the last message names nothing that the user did not write.

    What a model puts beside it belongs to another wish, or to none.
    """
    return not wish.words and wish.what.casefold() in words_of(state).casefold()


async def conclude(state: TurnState, services: Services) -> TurnUpdate:
    """Delete what the user chose, or keep everything."""
    request = forgetting_of(state)
    place = choice_index(
        read_request(clarification_of(state)["reply"]).message.text, pending_question(state)
    )
    if place is None or place >= len(request["options"]):
        return _with(state, {"status": "kept"})
    return await _delete(place, _with(state, request), state, services)


def deletion_report(state: TurnState) -> str:
    """The answer: what was done, and what stays where. It repeats nothing of what is gone."""
    forgetting, locale = forgetting_of(state), locale_of(state)
    status = forgetting["status"]
    if status != "done":
        return say(locale, f"forgetting-{status}")
    deleted_counts = Counter(forgetting["gone"])
    memory_count = sum(deleted_counts[kind] for kind in _REMEMBERED)
    lines = [
        say(locale, "forgetting-done", memory=memory_count, messages=deleted_counts["message"])
    ]
    if mention_count := forgetting.get("left"):
        lines.append(say(locale, "forgetting-left", count=mention_count))
    if forgetting.get("everything"):
        lines.append(say(locale, "forgetting-done-everything"))
    return "\n\n".join(lines)


def is_to_stay_unsaid(state: TurnState) -> bool:
    """Whether the wish itself leaves no words: it names what is gone."""
    return forgetting_of(state).get("status") in {"done", "nothing"}


def without_words(state: TurnState) -> TurnUpdate:
    """The state as a wish leaves it that was heeded: how it went, in no word of the user's."""
    request, question = request_of(state), clarification_of(state)
    wish = say(locale_of(state), "forgetting-wish")
    return {
        "messages": [
            RemoveMessage(id=str(message.id))
            for message in state["messages"]
            if request_id_of(message) == request.request_id
        ],
        "request": {**request_to_state(_wordless(request)), "erased": True},
        "input": {},
        "rag": {},
        "memory": {"updated": forgetting_of(state)["status"] == "done"},
        "clarification": _without_subject(question, wish) if question else {},
    }


def _wordless(request: TurnRequest) -> TurnRequest:
    message = IncomingMessage(request.message.user, message_id=request.message.message_id)
    return TurnRequest(
        request.thread_id,
        request.request_id,
        message,
        revision=request.revision,
        fresh_from=request.fresh_from,
    )


def _without_subject(question: ClarificationState, wish: str) -> ClarificationState:
    """The question and its answer, without the words that name what is gone."""
    result: ClarificationState = {**question, "question": wish, "said": wish}
    if "reply" in question:
        result["reply"] = {**question["reply"], "text": ""}
    return result


def _with(state: TurnState, forgetting: ForgettingState) -> TurnUpdate:
    return {"memory": {**state["memory"], "forgetting": forgetting}}


def _reference(piece: KeptText) -> KeptReference:
    return {"kind": piece.kind, "key": piece.key}


def _erasure_of(state: TurnState, *requests: str) -> Erased:
    """These turns and the wish itself, of which an update is still being answered."""
    request = request_of(state)
    return Erased(
        state["user"]["telegram_user_id"],
        request.thread_id,
        frozenset({request.request_id, *requests}),
        in_hand=frozenset({answering_in(state)}),
    )


def _options(matches: ForgetMatches) -> list[Sequence[KeptText]]:
    """Return what each choice would delete, the smallest first."""
    both = (*matches.about_subject, *matches.mentions)
    return [matches.about_subject, both] if matches.about_subject and matches.mentions else [both]


def _question(matches: ForgetMatches, locale: str, *, is_everything: bool) -> ClarificationState:
    lines: list[str] = []
    if is_everything:
        counts = Counter(piece.kind for piece in matches.about_subject)
        memory, messages = sum(counts[kind] for kind in _REMEMBERED), counts["message"]
        lines.append(say(locale, "forgetting-everything", memory=memory, messages=messages))
    elif matches.about_subject:
        lines += [say(locale, "forgetting-told"), *_piece_list(matches.about_subject, locale)]
    if matches.mentions:
        heading = "forgetting-named" if matches.about_subject else "forgetting-only-named"
        lines += [say(locale, heading), *_piece_list(matches.mentions, locale)]
    lines.append(say(locale, "forgetting-final"))
    choices = ["forgetting-yes"]
    if matches.about_subject and matches.mentions:
        choices.append("forgetting-yes-all")
    return {
        "status": "wanted",
        "question": "\n\n".join(lines),
        "choices": [say(locale, choice) for choice in (*choices, "forgetting-no")],
        "only_choices": True,
    }


def _piece_list(pieces: Sequence[KeptText], locale: str) -> list[str]:
    """The pieces by kind, as lists."""
    visible = sorted(pieces, key=lambda piece: _KINDS.index(piece.kind))[:MOST_SHOWN]
    blocks = [
        "\n".join(
            [
                say(locale, f"forgetting-of-{kind}"),
                *(f"- {shorten(one.shown, _SHOWN_LENGTH)}" for one in visible if one.kind == kind),
            ]
        )
        for kind in _KINDS
        if any(one.kind == kind for one in visible)
    ]
    if (more := len(pieces) - len(visible)) > 0:
        blocks.append(say(locale, "forgetting-more", count=more))
    return blocks


async def _delete(
    place: int, update: TurnUpdate, state: TurnState, services: Services
) -> TurnUpdate:
    """Delete what an option holds. Everything here can be repeated.

    The memory goes last: while it holds the items, the turn can be done again.
    """
    request: ForgettingState = update["memory"]["forgetting"]
    option, is_everything = request["options"][place], request["everything"]
    keys = {kind: [one["key"] for one in option if one["kind"] == kind] for kind in _KINDS}
    traces, things = Traces.of(request["words"], request["facts"]), frozenset(keys["thing"])
    erasure = replace(
        _erasure_of(state, *keys["message"]), traces=traces, everything=is_everything, things=things
    )
    await services.erasure.erase(erasure)
    await services.user_files.forget(erasure.user_id, [int(key) for key in keys["file"]])
    facts = Traces.of((), request["facts"])

    def remaining_memory(newest: LongTermMemory) -> LongTermMemory:
        if is_everything:
            return LongTermMemory()
        return forget(newest, keys["memory"], facts, keys["summary"])

    await services.memories.change(erasure.user_id, remaining_memory, for_good=True)
    outcome: ForgettingState = {
        "status": "done",
        "everything": is_everything,
        "gone": {kind: len(keys[kind]) for kind in _KINDS},
        "left": len(request["options"][-1]) - len(option),
    }
    return {
        "memory": {"forgetting": outcome},
        "messages": [
            RemoveMessage(id=str(message.id))
            for message in state["messages"]
            if request_id_of(message) != request_of(state).request_id
            and (is_everything or request_id_of(message) in keys["message"])
        ],
        **({"last_images": []} if is_everything else {}),
    }
