"""Forgets on request: finds the texts, asks if there are more than the last message, deletes."""

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
"""The routing of a request to forget. The product answers it, and keeps no word of it."""
MOST_SHOWN = 30
_SHOWN_LENGTH = 90
_REMEMBERED: tuple[KeptKind, ...] = ("memory", "thing", "file")
_KINDS: tuple[KeptKind, ...] = (*_REMEMBERED, "message", "summary")


def forgetting_of(state: TurnState) -> ForgettingState:
    """This turn's request to forget and its outcome, {} without one."""
    return state["memory"].get("forgetting", {})


def awaits_deletion(state: TurnState) -> bool:
    """Whether the user has answered the question what to delete."""
    return forgetting_of(state).get("status") == "asked"


async def heed(wish: ForgetWish, state: TurnState, context: NodeContext) -> TurnUpdate:
    """Forget the last message at once; ask first about more, or if foreign texts may have a say.

    If the model that chooses fails, nothing is deleted, and the answer says so.
    """
    services = context.services
    try:
        matches = await find_matches(wish, state, context)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("nothing_forgotten", error)
        return _with(state, {"status": "failed"})
    if not (matches.about_subject or matches.mentions):
        # The words of the request are deleted all the same.
        await services.erasure.erase(_erasure_of(state))
        return _with(state, {"status": "nothing"})
    forgetting: ForgettingState = {
        "status": "asked",
        "everything": wish.scope == "everything",
        "options": [[_reference(piece) for piece in option] for option in _options(matches)],
        "words": list(matches.words),
        "facts": list(matches.facts),
    }
    is_doubtful = is_foreign(state) or request_of(state).is_unattended or not _is_plain(wish, state)
    if matches.is_last and not is_doubtful:
        return await _delete(0, _with(state, forgetting), state, services)
    question = _question(matches, locale_of(state), is_everything=wish.scope == "everything")
    return {**_with(state, forgetting), "clarification": question}


def _is_plain(wish: ForgetWish, state: TurnState) -> bool:
    """Whether a request to forget the last message names only what the user wrote.

    Anything that a model adds belongs to another request, or to none.
    """
    return not wish.words and wish.what.casefold() in words_of(state).casefold()


async def conclude(state: TurnState, services: Services) -> TurnUpdate:
    """Delete the user's choice, or keep everything."""
    forgetting = forgetting_of(state)
    option_index = choice_index(
        read_request(clarification_of(state)["reply"]).message.text, pending_question(state)
    )
    if option_index is None or option_index >= len(forgetting["options"]):
        return _with(state, {"status": "kept"})
    return await _delete(option_index, _with(state, forgetting), state, services)


def deletion_report(state: TurnState) -> str:
    """The answer: the numbers of deleted and of kept texts. It repeats no deleted text."""
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
    """Whether the words of the request are deleted, too, because they name deleted texts."""
    return forgetting_of(state).get("status") in {"done", "nothing"}


def without_words(state: TurnState) -> TurnUpdate:
    """The state after a request to forget was carried out, without any of the user's words."""
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
    """The request without its words."""
    message = IncomingMessage(request.message.user, message_id=request.message.message_id)
    return TurnRequest(
        request.thread_id,
        request.request_id,
        message,
        revision=request.revision,
        fresh_from=request.fresh_from,
    )


def _without_subject(question: ClarificationState, wish: str) -> ClarificationState:
    """The question and its answer, without the words that name deleted texts."""
    wordless_question: ClarificationState = {**question, "question": wish, "said": wish}
    if "reply" in question:
        wordless_question["reply"] = {**question["reply"], "text": ""}
    return wordless_question


def _with(state: TurnState, forgetting: ForgettingState) -> TurnUpdate:
    """The state with this outcome of a request to forget."""
    return {"memory": {**state["memory"], "forgetting": forgetting}}


def _reference(piece: KeptText) -> KeptReference:
    """The kind and key of a stored text."""
    return {"kind": piece.kind, "key": piece.key}


def _erasure_of(state: TurnState, *requests: str) -> Erased:
    """The erasure of these turns and of the request, which is still being answered."""
    request = request_of(state)
    return Erased(
        state["user"]["telegram_user_id"],
        request.thread_id,
        frozenset({request.request_id, *requests}),
        in_hand=frozenset({answering_in(state)}),
    )


def _options(matches: ForgetMatches) -> list[Sequence[KeptText]]:
    """The texts that each choice would delete, the smallest choice first."""
    all_texts = (*matches.about_subject, *matches.mentions)
    return (
        [matches.about_subject, all_texts]
        if matches.about_subject and matches.mentions
        else [all_texts]
    )


def _question(matches: ForgetMatches, locale: str, *, is_everything: bool) -> ClarificationState:
    """The question which of the texts to delete."""
    lines: list[str] = []
    if is_everything:
        count_by_kind = Counter(piece.kind for piece in matches.about_subject)
        memory, messages = (
            sum(count_by_kind[kind] for kind in _REMEMBERED),
            count_by_kind["message"],
        )
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
    """The first texts, in a list for each kind, and the number of other texts."""
    visible_pieces = sorted(pieces, key=lambda piece: _KINDS.index(piece.kind))[:MOST_SHOWN]
    lists = [
        "\n".join(
            [
                say(locale, f"forgetting-of-{kind}"),
                *(
                    f"- {shorten(one.shown, _SHOWN_LENGTH)}"
                    for one in visible_pieces
                    if one.kind == kind
                ),
            ]
        )
        for kind in _KINDS
        if any(one.kind == kind for one in visible_pieces)
    ]
    if (hidden_count := len(pieces) - len(visible_pieces)) > 0:
        lists.append(say(locale, "forgetting-more", count=hidden_count))
    return lists


async def _delete(
    option_index: int, update: TurnUpdate, state: TurnState, services: Services
) -> TurnUpdate:
    """Delete the texts of an option, the memory last: until then, the turn can run again."""
    forgetting: ForgettingState = update["memory"]["forgetting"]
    references, is_everything = forgetting["options"][option_index], forgetting["everything"]
    keys = {kind: [item["key"] for item in references if item["kind"] == kind] for kind in _KINDS}
    erasure = replace(
        _erasure_of(state, *keys["message"]),
        traces=Traces.of(forgetting["words"], forgetting["facts"]),
        everything=is_everything,
        things=frozenset(keys["thing"]),
    )
    await services.erasure.erase(erasure)
    await services.user_files.forget(erasure.user_id, [int(key) for key in keys["file"]])
    facts = Traces.of((), forgetting["facts"])

    def remaining_memory(newest: LongTermMemory) -> LongTermMemory:
        if is_everything:
            return LongTermMemory()
        return forget(newest, keys["memory"], facts, keys["summary"])

    await services.memories.change(erasure.user_id, remaining_memory, for_good=True)
    outcome: ForgettingState = {
        "status": "done",
        "everything": is_everything,
        "gone": {kind: len(keys[kind]) for kind in _KINDS},
        "left": len(forgetting["options"][-1]) - len(references),
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
