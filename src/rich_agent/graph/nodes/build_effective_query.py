"""N4: decides how the turn is answered and what to search for."""

from dataclasses import replace

from langgraph.runtime import Runtime

from rich_agent.domain.languages import usual_locale
from rich_agent.domain.routing.plan import Routing, with_image_answers
from rich_agent.domain.routing.small_talk import lone_word
from rich_agent.graph.acting.answering import drop_question
from rich_agent.graph.answer.writing import signal_silence
from rich_agent.graph.decisions import record_decision
from rich_agent.graph.embedding import is_searched_as_asked, read_ahead
from rich_agent.graph.files.gathering import is_refused
from rich_agent.graph.files.links import read_links, route_wish
from rich_agent.graph.guiding import leave_session
from rich_agent.graph.looking import look_closer
from rich_agent.graph.memory.forget_search import turns_until
from rich_agent.graph.memory.forgetting import ROUTING, awaits_deletion, conclude, heed
from rich_agent.graph.memory.window import recall_past
from rich_agent.graph.personas import answer_persona_update
from rich_agent.graph.planning import (
    FILE_REFUSED,
    clarification_of,
    plan_in_session,
    plan_turn,
    question_of_plan,
    reason_of,
    route_by_rule,
    route_known_word,
)
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.speculating import begin_likely_answer, outcome_of
from rich_agent.graph.state import RagState, TurnState, TurnUpdate, request_of
from rich_agent.graph.subject import brings_subject, is_dropped_by
from rich_agent.graph.views import (
    is_in_session,
    locale_of,
    message_locale,
    messages_before,
    reader_of,
    recent_locales,
    was_asked,
    words_of,
)
from rich_agent.runtime.concurrency import task_group


async def build_effective_query(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Choose intent, plan and queries: by a rule if no model is needed, else by the planner.

    A question about images that their description leaves open is answered before the search.
    Without a plan only the documents are searched. The decision is recorded. If information is
    missing, the user is asked; a message that came instead of an answer begins its own turn.
    """
    services = runtime.context.services
    with signal_silence(lambda: runtime.stream_writer({"stage": "thinking"})):
        routing = await _route(state, runtime.context)
    state = _with_locale(routing.language, state)
    if is_dropped_by(routing, state):
        return await drop_question(clarification_of(state), state)
    if routing.leaves_session:
        state = await leave_session(state, services)
    if routing.forget or awaits_deletion(state):
        return await _forget(routing, state, runtime.context)
    past_memory = await recall_past(routing.past, state, runtime.context) if routing.past else None
    clarification, media_update = question_of_plan(routing, state), TurnUpdate()
    if routing.image_question and clarification.get("status") != "wanted":
        vision = await look_closer(state, routing.image_question, runtime)
        routing = with_image_answers(
            routing, [image_answer["answer"] for image_answer in vision.get("answers", ())]
        )
        media_update["vision"] = vision
    if routing.links and clarification.get("status") != "wanted":
        routing, media_update["files"] = await read_links(routing, state, runtime)
    reason = reason_of(routing, state)
    update: TurnUpdate = {
        "user": state["user"],
        "session": state.get("session", {}),
        "routing": await record_decision(routing, reason, state, services),
        "rag": _search_request(routing),
        "clarification": clarification,
        **media_update,
        **await answer_persona_update(routing.spaces, state, services),
    }
    if past_memory:
        update["memory"] = {**state["memory"], **past_memory}
    return update


async def _route(state: TurnState, context: NodeContext) -> Routing:
    """The routing by a rule, else by the planner.

    A text without letters does not change the user's language.
    """
    routing = await _route_by_rule(state, context.services) or await _plan(state, context)
    tells_language = any(map(str.isalpha, words_of(state)))
    return routing if tells_language else replace(routing, language=locale_of(state))


def _with_locale(language: str, state: TurnState) -> TurnState:
    """The state with the language of the product's sentences, by the planned language.

    It changes only once most of the user's last messages were in another language, and if the
    script of the message fits. A language that the user chose comes first.
    """
    likely_locale = usual_locale(recent_locales(language, state))
    is_possible = likely_locale and message_locale(likely_locale, state) == likely_locale
    locale = request_of(state).message.user.locale or (likely_locale if is_possible else None)
    return {**state, "user": {**state["user"], "locale": locale}} if locale else state


def _search_request(routing: Routing) -> RagState:
    """The queries of the routing, and the reason why the web cannot be searched."""
    rag: RagState = {}
    if routing.plan != "direct":
        rag = {"query": routing.query, "queries": list(routing.queries)}
    if routing.plan != "direct" and routing.described:
        rag["described"] = routing.described
    if routing.plan != "direct" and routing.lists_documents:
        rag["lists_documents"] = True
    if routing.rule == "no_web":
        rag["web_error"] = "no key for web search"
    return rag


async def _plan(state: TurnState, context: NodeContext) -> Routing:
    """The planner's routing.

    Meanwhile the user's words are embedded and the likely answer is begun; what the plan does not
    need is cancelled.
    """
    if is_in_session(state):
        return await plan_in_session(state, context)
    async with task_group() as group:
        embedding_task = group.create_task(read_ahead(state, context.services))
        guess_task = group.create_task(begin_likely_answer(embedding_task, state, context))
        routing = await plan_turn(state, context)
        if not is_searched_as_asked(routing, state):
            embedding_task.cancel()
        guess_task.cancel()
    if not guess_task.cancelled() and (evidence := guess_task.result()):
        context.services.plan_odds.learn(evidence, outcome_of(routing, state))
    return await context.turn.speculation.settle(routing)


async def _route_by_rule(state: TurnState, services: Services) -> Routing | None:
    """The routing if no model is needed, else None."""
    if awaits_deletion(state):
        return ROUTING
    if certain_routing := FILE_REFUSED if is_refused(state) else route_wish(state):
        return certain_routing
    if is_in_session(state):
        return None
    if brings_subject(state):
        # A short word may answer a question, or ask about what came with it.
        return None
    if not messages_before(state) and await _is_known_word(state, services):
        # Within a conversation, the planner decides what the word means.
        return route_known_word(words_of(state))
    return route_by_rule(words_of(state), was_asked=was_asked(state))


async def _is_known_word(state: TurnState, services: Services) -> bool:
    """Whether the message is a single word that occurs in the documents."""
    word = lone_word(words_of(state))
    return bool(word) and await services.passages.hold_word(word, reader_of(state))


async def _forget(routing: Routing, state: TurnState, context: NodeContext) -> TurnUpdate:
    """Carry out a request to forget, or the answer to the question about it."""
    if routing.forget:
        update = await heed(routing.forget, state, context)
        update["turns_at_wish"] = turns_until(state)
    else:
        update = await conclude(state, context.services)
    forget_routing = replace(ROUTING, language=routing.language)
    reason = reason_of(forget_routing, state)
    return {
        "user": state["user"],
        "routing": await record_decision(forget_routing, reason, state, context.services),
        "rag": {},
        **update,
    }
