"""Has the planner decide how a turn is answered, or what to ask first.

Without a plan, the web is not searched.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

import stamina

from rich_agent.domain.approving.cards import ApprovalCard, card_text, cards_in
from rich_agent.domain.routing.clarification import image_topics, in_bounds
from rich_agent.domain.routing.plan import (
    GENERAL,
    SMALLTALK,
    Clarification,
    Routing,
    close_details,
    complete_routing,
    for_group,
    with_query,
)
from rich_agent.domain.routing.small_talk import SmallTalk, small_talk
from rich_agent.domain.text import bare_words, shorten
from rich_agent.domain.tools import ActingState, CallState, ToolCall
from rich_agent.domain.user_files import UserFile
from rich_agent.domain.vision import ImageSummary
from rich_agent.errors import (
    BrokenAnswerError,
    UpstreamError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.graph.files.gathering import read_of, readable_files, with_files
from rich_agent.graph.files.links import about_links, links_of
from rich_agent.graph.guiding import session_title
from rich_agent.graph.services import MODEL_TRIES, NodeContext, Services, with_retries
from rich_agent.graph.state import (
    ClarificationState,
    TurnState,
    TurnUpdate,
    input_of,
    reply_of,
    request_of,
)
from rich_agent.graph.turn_prompt import TITLE_CHARS, turn_prompt_of
from rich_agent.graph.views import (
    acting_of,
    clarification_slot,
    conversation_slots,
    earlier_images_of,
    images_of,
    is_in_group,
    locale_of,
    reader_of,
    words_of,
)
from rich_agent.phrases import say, say_parts
from rich_agent.ports.knowledge import RegisteredNames
from rich_agent.ports.models import ModelAccountError, Prompt

# Small talk that may answer a question of the bot.
_MAY_ANSWER: frozenset[SmallTalk] = frozenset({"number", "reaction"})

FILE_REFUSED = Routing(GENERAL, "direct", web="never", rule="file_refused", teaches=False)
"""The routing of a message whose files cannot be read; the user learns what to do about it."""
IN_SESSION = Routing(GENERAL, "direct", web="never", rule="in_session", acts=True)
"""The routing of a message in a guided session, whose model decides what to look up."""


def route_by_rule(text: str, *, was_asked: bool = False) -> Routing | None:
    """The routing of a text that needs no planning call, None if a model has to plan.

    Small talk is answered directly. After a question of the bot (`was_asked`), a number or an emoji
    may be its answer, so that a model has to plan.
    """
    kind = small_talk(text)
    if kind is None or (was_asked and kind in _MAY_ANSWER):
        return None
    intent = GENERAL if kind == "number" else SMALLTALK
    return Routing(intent, "direct", rule=kind, teaches=False)


def route_known_word(text: str) -> Routing:
    """The routing of a single word from the registered documents, which are searched for it."""
    query = text.strip()
    return Routing(GENERAL, "rag", query=query, web="never", rule="known_word", teaches=False)


def route_without_plan(text: str) -> Routing:
    """The routing when no model gave a plan: search the documents for the text as it is.

    The web is not searched, because nobody has judged whether the text is private.
    """
    return Routing(GENERAL, "rag", query=text.strip(), web="never", rule="no_plan")


DOCUMENTS_NAMED = 12


async def plan_turn(state: TurnState, context: NodeContext) -> Routing:
    """The planner's routing, completed by the product's rules.

    If the planner fails, only documents are searched, and the operator is alerted.

    Raises: ModelAccountError, DailyLimitError.
    """
    services = context.services
    files = await readable_files(state, services)
    links = _pages(links_of(state), files)
    sources = await services.passages.names(reader_of(state))
    prompt = await _prompt(state, files, links, sources, context)
    prompt = replace(prompt, fields=_fields(state, files, links, sources, services))
    try:
        proposal = await _propose(prompt, state, context)
    except ModelAccountError:
        raise
    except UpstreamError as error:
        context.run.notes.survive("planner_failed", error)
        await services.alarm(error)
        fallback = _without_plan(state)
        if is_in_group(state):
            return for_group(fallback)
        return with_files(fallback, state, files)
    can_search_web = services.web is not None
    routing = complete_routing(
        proposal, words_of(state), services.domain, can_search_web=can_search_web
    )
    space_ids = dict(enumerate((space_id for space_id, _ in sources.spaces), start=1))
    routing = replace(
        routing,
        spaces=tuple(space_ids[number] for number in routing.spaces if number in space_ids),
    )
    if is_in_group(state):
        return for_group(routing)
    routing = with_files(
        replace(routing, links=_requested_links(routing, len(files), links)), state, files
    )
    has_images = bool(images_of(state) or earlier_images_of(state))
    return routing if has_images else replace(routing, image_question=None)


async def plan_in_session(state: TurnState, context: NodeContext) -> Routing:
    """The routing of a message in a guided session.

    A message that leaves the session is routed like any other. The first message of a session, and
    one beyond its limit, need no planning call.

    Raises: ModelAccountError, DailyLimitError.
    """
    session = state["session"]
    if session.get("is_new") or session.get("refusal"):
        return IN_SESSION
    routing = await plan_turn(state, context)
    if routing.leaves_session:
        return replace(routing, rule="session_left")
    return replace(
        IN_SESSION, language=routing.language, teaches=routing.teaches, forget=routing.forget
    )


def reason_of(routing: Routing, state: TurnState) -> str:
    """The reason for the turn's routing, in the user's language: the model's, then the rule's."""
    rule_reason = say(locale_of(state), f"reason-{routing.rule}") if routing.rule else ""
    plan_reason = routing.reason or (
        "" if rule_reason else say(locale_of(state), "reason-as_planned")
    )
    return "; ".join(
        filter(None, [plan_reason.rstrip(".。") if rule_reason else plan_reason, rule_reason])
    )


def early_stop_update(state: TurnState) -> TurnUpdate:
    """The state that N4 leaves if the user stops the turn before it is planned."""
    reason = say(locale_of(state), "reason-stopped")
    return {"routing": {"intent": GENERAL, "plan": "direct", "reason": reason}}


def _requested_links(routing: Routing, file_count: int, links: Sequence[str]) -> tuple[str, ...]:
    """The links that the planner chose; their numbers follow the files' numbers."""
    link_numbers = (planned_number - file_count for planned_number in routing.files)
    return tuple(
        dict.fromkeys(
            links[link_number - 1] for link_number in link_numbers if 1 <= link_number <= len(links)
        )
    )


def _pages(links: Sequence[str], files: Sequence[UserFile]) -> list[str]:
    """The links, without names of files that messengers take for hosts, such as "notes.md"."""
    file_names = {file.name.lower() for file in files}
    return [link for link in links if link.lower().removeprefix("https://") not in file_names]


async def _prompt(
    state: TurnState,
    files: Sequence[UserFile],
    links: Sequence[str],
    sources: RegisteredNames,
    context: NodeContext,
) -> Prompt:
    """The prompt for the planner."""
    services, turn_prompt = context.services, await turn_prompt_of(state, context)
    conversation = conversation_slots(state)
    slots, _ = turn_prompt.fit(
        "N4_build_effective_query",
        {
            "titles": await _titles(state, sources, services),
            "spaces": [name for _, name in sources.spaces],
            "user_language": locale_of(state),
            "image_count": conversation["image_count"],
            "unread": conversation["unread"],
            "session": session_title(state, services),
            "files": [{"name": file.name, "parts": str(file.units)} for file in files],
            "files_came": len(read_of(state)),
            "links": links,
        },
    )
    return turn_prompt.render("N4_build_effective_query", slots)


_FIELDS = frozenset(
    {
        "intent",
        "plan",
        "web",
        "language",
        "query",
        "queries",
        "described",
        "reason",
        "catalogue",
    }
)
"""The fields of a plan that every message needs."""
_PRIVATE_FIELDS = frozenset({"teaches", "action", "about_the_past", "forget"})
"""Further fields that every message of a conversation with one user needs."""


def _fields(
    state: TurnState,
    files: Sequence[UserFile],
    links: Sequence[str],
    sources: RegisteredNames,
    services: Services,
) -> frozenset[str]:
    """The fields of the plan that can apply to the message."""
    if is_in_group(state):
        return _FIELDS | ({"spaces"} if sources.spaces else frozenset())
    is_reply = clarification_slot(state) is not None
    has_images = bool(images_of(state) or earlier_images_of(state))
    applies_by_fields: tuple[tuple[bool, frozenset[str]], ...] = (
        (bool(sources.spaces), frozenset({"spaces"})),
        (bool(files or links), frozenset({"files", "whole_file"})),
        (has_images, frozenset({"image_question", "image_numbers"})),
        (bool(session_title(state, services)), frozenset({"leaves_session"})),
        (is_reply, frozenset({"new_request"})),
        (not is_reply, frozenset({"clarification"})),
    )
    return _FIELDS.union(
        _PRIVATE_FIELDS, *(fields for applies, fields in applies_by_fields if applies)
    )


async def _titles(state: TurnState, sources: RegisteredNames, services: Services) -> list[str]:
    """The document titles nearest to the message, without names of sources."""
    titles = await services.catalogue.titles(words_of(state), DOCUMENTS_NAMED, reader_of(state))
    nearest_titles = (*titles.matching, *titles.others)
    return [shorten(title, TITLE_CHARS) for title in nearest_titles if title not in sources.sources]


_PLANNER_TRIES = 10
"""The most attempts. With pauses of up to 5 s, `_LONGEST_AWAY_S` ends before they do."""
_LONGEST_AWAY_S = 25.0
"""The longest time that a failing planner is tried again, such as one that restarts."""


async def _propose(prompt: Prompt, state: TurnState, context: NodeContext) -> Routing:
    """The planner's proposal. It is kept if the model does not tell its details.

    Raises: UpstreamError if there is no proposal; ModelAccountError, DailyLimitError.
    """
    services = context.services
    plan = partial(services.planner.plan, prompt)
    proposal = await with_retries(partial(_retry_in_time, plan, services), context)
    routing = _with_used_details(proposal, state, services)
    while routing.open_details:
        fill_in = partial(services.planner.fill_in, prompt, routing)
        try:
            routing = await with_retries(partial(_retry_in_time, fill_in, services), context)
        except ModelAccountError:
            raise
        except UpstreamError as error:
            context.run.notes.survive("plan_not_filled_in", error)
            return close_details(routing, words_of(state))
    return routing


def _with_used_details(proposal: Routing, state: TurnState, services: Services) -> Routing:
    """The proposal without open details that the turn does not use."""
    details, clarification = proposal.open_details, proposal.clarification
    if session_title(state, services) and not proposal.leaves_session:
        details = tuple(detail for detail in details if detail == "forget")
    if "clarification" in details and _is_only_material(state):
        clarification = about_what_came(state)
        details = tuple(detail for detail in details if detail != "clarification")
    return replace(proposal, open_details=details, clarification=clarification)


async def _retry_in_time(propose: Callable[[], Awaitable[Routing]], services: Services) -> Routing:
    """The planner's proposal; temporary failures are retried within the turn's time for models.

    One attempt may take all the time that is left, because some models think long. Requests of the
    server to wait are not handled here.
    """
    deadline_s = time.monotonic() + services.limits.model_budget_s

    failed_answer_count = 0

    def passes(error: Exception) -> bool:
        """Whether to try again after this error."""
        nonlocal failed_answer_count
        failed_answer_count += isinstance(error, UpstreamTimeoutError | BrokenAnswerError)
        is_passing = isinstance(error, UpstreamTimeoutError | UpstreamUnavailableError)
        return is_passing and failed_answer_count < MODEL_TRIES

    retries = stamina.retry_context(
        on=passes,
        attempts=_PLANNER_TRIES,
        timeout=min(services.limits.model_budget_s, _LONGEST_AWAY_S),
        wait_initial=0.3,
        wait_jitter=0.3,
    )
    async for attempt in retries:
        with attempt:
            remaining_s = deadline_s - time.monotonic()
            try:
                async with asyncio.timeout(remaining_s):
                    return await propose()
            except TimeoutError as error:
                raise UpstreamTimeoutError("model", round(remaining_s, 1)) from error
    raise AssertionError("stamina ends with a result or an error")


def _without_plan(state: TurnState) -> Routing:
    """The routing without a plan; what images show is added to the query."""
    routing = route_without_plan(words_of(state))
    entities = state["vision"].get("summary", {}).get("entities", ())
    return with_query(replace(routing, query=" ".join([routing.query, *entities]).strip()))


_SEEN_LENGTH = 200
_NAME_LENGTH = 60


def clarification_of(state: TurnState) -> ClarificationState:
    """The question that this turn asked the user, {} without one."""
    return state.get("clarification") or {}


def cards_of(state: TurnState) -> tuple[ApprovalCard, ...]:
    """The card of each call that waits for approval, () if none does."""
    return cards_in(clarification_of(state).get("cards", ()), waiting_calls(state))


def waiting_calls(state: TurnState) -> tuple[ToolCall, ...]:
    """The calls that wait for approval; none do once the question is answered."""
    acting = acting_of(state)
    is_waiting = clarification_of(state).get("approves") and acting.get("calls")
    return tuple(ToolCall(**call) for call in needing_approval(acting)) if is_waiting else ()


def question_text(state: TurnState) -> str:
    """The whole question as plain text, with the cards of the calls that it is about."""
    return "\n\n".join(filter(None, [pending_question(state).question, card_text(cards_of(state))]))


def needing_approval(acting: ActingState) -> list[CallState]:
    """The requested calls that the user has to approve."""
    call_policies = zip(acting.get("calls", []), acting.get("policies", []), strict=True)
    return [call for call, policy in call_policies if policy == "ask"]


def answering_in(state: TurnState) -> str:
    """The id of the request that the turn answers: the last reply's, else its own."""
    return (reply_of(state) or request_of(state)).request_id


def pending_question(state: TurnState) -> Clarification:
    """The question that this turn asked the user; an empty one if it asked none."""
    question_state = clarification_of(state)
    question = question_state.get("question", "")
    if question_state.get("approves") and not question_state.get("cards"):
        # An older version stored the calls as Markdown below the first line.
        question = question.partition("\n")[0]
    return Clarification(
        question,
        tuple(question_state.get("choices", ())),
        only_choices=question_state.get("only_choices", False),
    )


def about_what_came(state: TurnState) -> Clarification:
    """The question what to do with links, files or an image that came without words."""
    if input_of(state).is_only_links:
        return about_links(state)
    return about_files(state) if state.get("files", {}).get("read") else about_image(state)


def about_files(state: TurnState) -> Clarification:
    """The question what to do with files that came without words; it names them."""
    locale, files = locale_of(state), state["files"]["read"]
    file_names = ", ".join(shorten(file["name"], _NAME_LENGTH) for file in files)
    topics = ("summary", "points")
    question = say(locale, "ask-about-files", names=file_names, count=len(files))
    unread = [
        say(locale, "file-parts-unread", name=shorten(file["name"], _NAME_LENGTH), parts=parts)
        for file in files
        if (parts := say_parts(locale, file.get("unread", {})))
    ]
    return Clarification(
        "\n".join([*unread, question]),
        tuple(say(locale, f"file-topic-{topic}") for topic in topics),
    )


def about_image(state: TurnState) -> Clarification:
    """The question what to do with an image that came without words; it describes the image."""
    locale, image = locale_of(state), ImageSummary.from_json(state["vision"]["summary"])
    description = shorten(image.summary, _SEEN_LENGTH)
    return Clarification(
        say(locale, "ask-about-image", seen=description),
        tuple(say(locale, f"image-topic-{topic}") for topic in image_topics(image)),
    )


def _is_only_material(state: TurnState) -> bool:
    """Whether images or files came without a word."""
    material = state["vision"].get("summary") or state.get("files", {}).get("read")
    return bool(material) and not bare_words(words_of(state))


def question_of_plan(routing: Routing, state: TurnState) -> ClarificationState:
    """The question that the plan asks first, {} if there is none.

    A turn asks one question at most.
    """
    if clarification_of(state) or routing.clarification is None:
        return clarification_of(state)
    # What the images or files show suggests better questions than a model that has not seen them.
    is_bare = _is_only_material(state)
    question = about_what_came(state) if is_bare else in_bounds(routing.clarification)
    if question is None:
        return {}
    return {"status": "wanted", "question": question.question, "choices": list(question.choices)}
