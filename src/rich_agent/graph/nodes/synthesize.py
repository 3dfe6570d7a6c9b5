"""N6: writes the answer from the passages, the conversation and the image summary."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime

from rich_agent.domain.answer.citation import (
    Answer,
    GrowingCitations,
    resolve_growing_text,
    strip_markers,
)
from rich_agent.domain.answer.markdown import complete_markdown, plain_markdown
from rich_agent.domain.languages import ENGLISH, locale_of_tag
from rich_agent.domain.retrieval.passage import Passage, are_of_files
from rich_agent.domain.retrieval.search_terms import has_same_terms
from rich_agent.domain.routing.plan import SMALLTALK
from rich_agent.domain.routing.small_talk import ANY_LANGUAGE, SmallTalk, phrase_of
from rich_agent.domain.text import is_blank, shorten
from rich_agent.errors import EmptyCompletionError
from rich_agent.graph.acting.calling import call_id_of, propose_calls
from rich_agent.graph.acting.offering import (
    attachments_of,
    cards,
    done_lines,
    is_undoable,
)
from rich_agent.graph.answer.feature_additions import with_additions
from rich_agent.graph.answer.material import Material, gather_material
from rich_agent.graph.answer.verification import (
    VerifiedAnswer,
    WrittenAnswer,
    verify,
    without_verification,
)
from rich_agent.graph.answer.writing import ModelText, WriteTimeouts, write
from rich_agent.graph.decisions import plan_failure_note, plan_marks
from rich_agent.graph.files.gathering import (
    file_notice,
    notes_on_files,
    notes_on_refusals,
    to_keep,
)
from rich_agent.graph.guiding import leave_offers
from rich_agent.graph.memory.forgetting import deletion_report, forgetting_of
from rich_agent.graph.origins import answer_message
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import AnswerState, TurnState, TurnUpdate, input_of, request_of
from rich_agent.graph.views import (
    FILTERED,
    acting_of,
    all_queries,
    images_of,
    is_comment,
    is_no_question,
    is_refused,
    locale_of,
    may_ask,
    reader_of,
    rests_on_images,
    unseen_of,
    words_of,
)
from rich_agent.phrases import say
from rich_agent.ports.models import GrowingCall
from rich_agent.runtime.concurrency import TurnEnd


def with_notes(answer: Answer, notes: Iterable[str], results: Iterable[str] = ()) -> Answer:
    """The answer with the results of calls and the product's notes below it."""
    # Two spaces end a line within a paragraph.
    blocks = [answer.text, "  \n".join(results), *(f"_{note}_" for note in notes)]
    return replace(answer, text="\n\n".join(filter(None, blocks)))


def session_end_notice(state: TurnState) -> str:
    """The notice that the message left its guided session, "" if it did not."""
    return (state.get("session") or {}).get("end_notice", "")


def notes_on_message(state: TurnState) -> Iterator[str]:
    """Notes on unread parts of the message, on failed plans and on limits of calls.

    Only the first of several answers without a plan says why there was none.
    """
    locale = locale_of(state)
    if kinds := input_of(state).unread:
        kind_names = [say(locale, f"unread-{kind.replace('_', '-')}") for kind in kinds]
        yield say(locale, "unread-note", things=" · ".join(kind_names))
    yield from notes_on_refusals(state)
    if state["routing"]["intent"] != SMALLTALK and (session_notice := session_end_notice(state)):
        yield session_notice
    if failure := plan_failure_note(state):
        yield failure
    if (limit := acting_of(state).get("limit")) in {"calls", "errors"}:
        yield say(locale, f"acting-limit-{limit}")


def notes_on_grounds(state: TurnState, answer: VerifiedAnswer, material: Material) -> Iterator[str]:
    """Notes on the grounds of the answer: files, missing citations, failed searches and looks."""
    locale, plan = locale_of(state), state["routing"]["plan"]
    yield from notes_on_files(state, material.passages)
    is_unanswered = answer.found_nothing and may_ask(state)
    if is_unanswered:
        yield say(locale, _no_citation_phrase(plan, material.passages))
    if is_unanswered or answer.checks.get("refused"):
        yield from _query_note(state)
    if state["rag"].get("left_out") and (is_unanswered or answer.is_doubtful):
        yield say(locale, "look-left-out")
    if "web_error" in state["rag"]:
        yield state["rag"].get("web_limit") or say(locale, "web-unavailable")
    if limit_notice := state["vision"].get("limit"):
        yield limit_notice
    if "look_error" in state["vision"]:
        yield say(locale, "look-failed")
    if material.is_shortened:
        yield say(locale, "question-shortened")


def _query_note(state: TurnState) -> Iterator[str]:
    """A note with the queries to the documents, unless they say just what the user said."""
    if not state["rag"].get("query") or state["routing"]["plan"] == "web":
        return
    queries = all_queries(state)
    if len(queries) > 1 or not has_same_terms(queries[0], words_of(state)):
        query_list = " · ".join(plain_markdown(shorten(query, _QUERY_CHARS)) for query in queries)
        yield say(locale_of(state), "looked-for", query=query_list)


def _no_citation_phrase(plan: str, passages: list[Passage]) -> str:
    """The key of the note that nothing was cited."""
    if are_of_files(passages):
        return "nothing-found-files"
    return "nothing-cited-web" if plan == "web" else "nothing-found"


_QUERY_CHARS = 120
_FEWEST_RATED_TOKENS = 25
"""Shorter answers without a source ("Good, that is done.") are not offered for rating."""

# The product's own answers to small talk.
_READY: Mapping[SmallTalk, str] = MappingProxyType(
    {
        "greeting": "greeting",
        "farewell": "farewell-reply",
        "thanks": "thanks-reply",
        "help": "help-reply",
        "laughter": "laughter-reply",
        "silence": "nothing-said",
    }
)


async def synthesize(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Write the answer, or propose the calls that the model wants to make first.

    Greetings, and searches without results, are answered without a model. Growing text is streamed
    as `{"text": ...}`, a growing call as `{"call": ...}`, each time from its first character. If
    the user stops the turn, the text so far is the answer. The answer cites only passages of this
    turn; see `answer.verification`. An answer without doubtful signs is streamed as `{"whole":
    ...}` before it is judged.

    Raises: UpstreamError.
    """
    services, stop = runtime.context.services, runtime.context.turn.stop
    fixed_answer = _without_model(state) or (
        _cut_answer(state, "", [], stop)
        if stop.is_set()
        else await _nothing_to_rest_on(state, services)
    )
    outcome = VerifiedAnswer(fixed_answer) if fixed_answer else await _write(state, runtime)
    if isinstance(outcome, ModelText):
        return await propose_calls(outcome.text, outcome.calls, state, runtime.context)
    runtime.context.turn.meter.begin_answer()
    answer = _answer_state(outcome, state, services)
    answer = await with_additions(answer, state, runtime.context)
    return {
        "answer": answer,
        "messages": [
            *_message_with_mark(state, outcome),
            await _answer_message(answer["text"], state),
        ],
    }


def _checks_of(answer: VerifiedAnswer) -> dict[str, object]:
    """The result of the checks; `found_nothing` is added if the answer lacks the information."""
    return {**answer.checks, **({"found_nothing": True} if answer.found_nothing else {})}


def _answer_state(outcome: VerifiedAnswer, state: TurnState, services: Services) -> AnswerState:
    """The answer as the user reads it, with cards, notes and offers."""
    with_cards = replace(outcome.answer, text="\n\n".join([outcome.answer.text, *cards(state)]))
    answer = with_notes(with_cards, notes_on_message(state), done_lines(state))
    return {
        "text": answer.text,
        "citations": [citation.to_state() for citation in answer.citations],
        "worth_rating": _is_worth_rating(answer, state, services),
        "is_cut": answer.is_cut,
        "undo": request_of(state).request_id if is_undoable(state) else "",
        "commands": [offer.to_state() for offer in leave_offers(state, services)],
        "files": to_keep(state),
        "attachments": [attachment.to_state() for attachment in attachments_of(state)],
        "locale": locale_of(state),
        "debug": _checks_of(outcome),
    }


async def _answer_message(text: str, state: TurnState) -> BaseMessage:
    """The answer as the conversation keeps it."""
    return await answer_message(strip_markers(text), state, **plan_marks(state))


def _is_worth_rating(answer: Answer, state: TurnState, services: Services) -> bool:
    """Whether there is anything to rate: no small talk, and no mere acknowledgement."""
    if not answer.worth_rating or state["routing"]["intent"] == SMALLTALK:
        return False
    used_sources = state["routing"]["plan"] != "direct" or bool(images_of(state))
    return used_sources or services.count_tokens(answer.text) >= _FEWEST_RATED_TOKENS


def _without_model(state: TurnState) -> Answer | None:
    """The answer of a turn that needs no model, None for other turns."""
    if is_refused(state):
        return Answer(state["session"]["refusal"], worth_rating=False)
    if forgetting_of(state):
        return Answer(deletion_report(state))
    is_cancelled = acting_of(state).get("limit") == "cancelled"
    cancellation = say(locale_of(state), "approve-cancelled") if is_cancelled else ""
    is_only_small_talk = state["routing"]["intent"] == SMALLTALK
    session_notice = session_end_notice(state) if is_only_small_talk else ""
    if notice := cancellation or file_notice(state) or session_notice:
        return Answer(notice, worth_rating=False)
    if unseen_notice := unseen_of(state):
        return Answer(unseen_notice) if not words_of(state).strip() else None
    is_direct = state["routing"]["plan"] == "direct" and not state["routing"].get("acts")
    if images_of(state) or is_comment(state) or not is_direct:
        return None
    return _reply_to_small_talk(state)


def _reply_to_small_talk(state: TurnState) -> Answer | None:
    """The product's reply, in the language of the message; None if a model has to answer.

    A model answers in languages without phrases. It does also if the user has preferences for
    answers and chose no language for the product's sentences.
    """
    phrase = phrase_of(words_of(state))
    own_choice, locale = request_of(state).message.user.locale, locale_of(state)
    if phrase is None or phrase.kind not in _READY:
        return None
    if state["memory"].get("preferences") and not own_choice:
        return None
    if not own_choice and not {locale, ANY_LANGUAGE} & phrase.languages:
        phrase_locales = sorted(filter(None, map(locale_of_tag, phrase.languages)))
        if not phrase_locales:
            return None
        locale = ENGLISH if ENGLISH in phrase_locales else phrase_locales[0]
    if phrase.kind == "greeting" and (name := state["user"].get("first_name")):
        return Answer(say(locale, "greeting-named", name=name))
    return Answer(say(locale, _READY[phrase.kind]))


async def _nothing_to_rest_on(state: TurnState, services: Services) -> Answer | None:
    """The answer that nothing was found, None if there is anything to answer from."""
    plan, locale = state["routing"]["plan"], locale_of(state)
    unseen_notice = unseen_of(state)
    # A turn that acts may get from a tool what no document says.
    needs_no_source = plan == "direct" or is_no_question(state)
    if needs_no_source or state["rag"].get("retrieved_chunks") or rests_on_images(state):
        return None
    blocks = [unseen_notice] if unseen_notice else []
    if notes := list(notes_on_files(state, ())):
        blocks.append(with_notes(Answer(say(locale, "nothing-found-files")), notes).text)
    elif plan in {"rag", "rag+web"}:
        has_sources = (await services.passages.names(reader_of(state))).sources
        blocks.append(say(locale, "nothing-found-answer" if has_sources else "no-sources-yet"))
        blocks += _query_note(state) if has_sources else ()
    has_web_failed = "web_error" in state["rag"]
    if has_web_failed or plan in {"web", "rag+web"}:
        limit = state["rag"].get("web_limit")
        phrase = "web-unavailable" if has_web_failed else "web-nothing-found"
        blocks.append(limit or say(locale, phrase))
    return Answer("\n\n".join(blocks))


async def _write(state: TurnState, runtime: Runtime[NodeContext]) -> VerifiedAnswer | ModelText:
    """The written answer, or a text with the calls that the model requests."""
    context, services = runtime.context, runtime.context.services
    material = await gather_material(state, context)
    runtime.stream_writer({"stage": "drafting"})
    growing_citations, final_text = GrowingCitations(material.passages), ""

    def show(growth: str | GrowingCall) -> None:
        """Stream the text so far, or the growing call."""
        nonlocal final_text
        if isinstance(growth, GrowingCall):
            call_id = call_id_of(growth.place, state)
            call = {"id": call_id, "name": growth.name, "arguments": growth.arguments}
            runtime.stream_writer({"call": call})
        else:
            context.turn.meter.begin_answer()
            final_text += growing_citations.feed(growth)
            runtime.stream_writer({"text": final_text + growing_citations.open})

    think = partial(runtime.stream_writer, {"stage": "thinking"})
    timeouts = WriteTimeouts(_first_word_s(runtime), services.limits.answer_s)
    start_s = time.monotonic()
    draft = await write(material.prompt, context, timeouts, show, think)
    if draft.was_stopped:
        return VerifiedAnswer(_cut_answer(state, draft.text, material.passages, context.turn.stop))
    if draft.calls:
        return draft
    if draft.early_end:
        early_answer = _early_answer(state, draft, material.passages)
        return VerifiedAnswer(early_answer, {"early_end": draft.early_end.reason})
    if is_blank(draft.text):
        raise EmptyCompletionError("model", "the answer was empty")
    waited_s = sum(state["latency_ms"].values()) / 1000 + time.monotonic() - start_s
    written_answer = WrittenAnswer(draft.text, material, waited_s)
    outcome = await _verify_with_notes(written_answer, state, runtime)
    if outcome is None:
        return VerifiedAnswer(_cut_answer(state, draft.text, material.passages, context.turn.stop))
    return outcome


async def _verify_with_notes(
    whole: WrittenAnswer, state: TurnState, runtime: Runtime[NodeContext]
) -> VerifiedAnswer | None:
    """The judged answer with notes on its sources; None if the user stopped the turn."""
    material = whole.material

    def with_grounds(outcome: VerifiedAnswer) -> VerifiedAnswer:
        notes = notes_on_grounds(state, outcome, material)
        return replace(outcome, answer=with_notes(outcome.answer, notes))

    def show(outcome: VerifiedAnswer) -> None:
        answer = _answer_state(with_grounds(outcome), state, runtime.context.services)
        runtime.stream_writer({"whole": answer})

    if not material.needs_grounds:
        return with_grounds(without_verification(whole, state["routing"]["plan"]))
    outcome = await verify(whole, state, runtime.context, show)
    return with_grounds(outcome) if outcome else None


def _cut_answer(state: TurnState, text: str, passages: list[Passage], stop: TurnEnd) -> Answer:
    """The answer so far, with a note that the user stopped it or that time ran out."""
    locale = locale_of(state)
    partial_answer = _partial_answer(text, passages)
    late_note = say(locale, "early-end-deadline") if stop.is_late else ""
    if not partial_answer.text:
        return Answer(late_note or say(locale, "stopped-at-once"), worth_rating=False)
    return replace(
        with_notes(partial_answer, [late_note or say(locale, "stopped")]), is_cut=stop.is_late
    )


_CUT = frozenset({"length", "repeated"})
"""The early ends by a limit or a loop, not by a content filter."""


def _partial_answer(text: str, passages: list[Passage]) -> Answer:
    """A text that may end anywhere, in complete Markdown, with its citations."""
    resolution = resolve_growing_text(text.strip(), passages)
    return Answer(complete_markdown(resolution.text).strip(), resolution.citations)


def _early_answer(state: TurnState, draft: ModelText, passages: list[Passage]) -> Answer:
    """The text before an early end, with a note that says why it ended."""
    assert draft.early_end is not None  # noqa: S101 - the caller's condition
    reason, refusal_text = draft.early_end.reason, draft.early_end.words
    note = say(locale_of(state), f"early-end-{reason}")
    partial_answer = _partial_answer(
        "\n\n".join(filter(None, [draft.text, refusal_text])), passages
    )
    return replace(
        partial_answer,
        text=f"{partial_answer.text}\n\n_{note}_" if partial_answer.text else note,
        worth_rating=reason == "length",
        is_cut=reason in _CUT,
    )


def _message_with_mark(state: TurnState, answer: VerifiedAnswer) -> list[BaseMessage]:
    """The user's message with a mark that a content filter rejects it.

    Prompts of later turns leave it out, because the filter would reject these as well.
    """
    if answer.checks.get("early_end") != "filtered":
        return []
    message_id = f"{request_of(state).request_id}:user"
    return [
        message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, FILTERED: 1}})
        for message in state["messages"]
        if message.id == message_id
    ]


def _first_word_s(runtime: Runtime[NodeContext]) -> float:
    """The seconds that this attempt may wait for its first word: the rest of the budget.

    The budget is not divided among attempts: a model that thinks long would never be heard.
    """
    budget_s, execution = runtime.context.services.limits.model_budget_s, runtime.execution_info
    start_s = execution.node_first_attempt_time if execution else None
    return max(0.0, budget_s - (time.time() - start_s)) if start_s is not None else budget_s
