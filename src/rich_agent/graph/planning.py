"""Has the planner decide how a turn is answered; without a plan the web is not searched."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

import stamina

from rich_agent.domain.budget import fit_history
from rich_agent.domain.routing.plan import (
    GENERAL,
    SMALLTALK,
    Routing,
    complete_routing,
    for_group,
    with_query,
)
from rich_agent.domain.routing.small_talk import SmallTalk, small_talk
from rich_agent.domain.text import shorten
from rich_agent.domain.user_files import UserFile
from rich_agent.errors import (
    UpstreamError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.graph.acting.offering import asker_of
from rich_agent.graph.answer.prompt_budget import fit_slots
from rich_agent.graph.files.gathering import read_of, readable_files, with_files
from rich_agent.graph.files.links import links_of
from rich_agent.graph.services import MODEL_TRIES, NodeContext, Services
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.graph.views import (
    conversation_slots,
    earlier_images_of,
    history_of,
    images_of,
    is_for_group,
    locale_of,
    question_of,
    words_of,
)
from rich_agent.graph.waiting import patiently
from rich_agent.phrases import say
from rich_agent.ports.models import ModelAccountError, Prompt
from rich_agent.prompts import render_prompt

# What may be the answer to a question that the bot asked just before.
_MAY_ANSWER: frozenset[SmallTalk] = frozenset({"number", "reaction"})

FILE_REFUSED = Routing(GENERAL, "direct", web="never", rule="file_refused", teaches=False)
"""The routing of a message whose files cannot be read: the user is told what to do."""
IN_SESSION = Routing(GENERAL, "direct", web="never", rule="in_session", acts=True)
"""The routing of every message of a guided session: its model decides what to look up."""


def route_by_rule(text: str, *, was_asked: bool = False) -> Routing | None:
    """The routing of what needs no planning call, or None when a model has to plan.

    Small talk is answered directly. A number or an emoji after a question of the bot (`was_asked`)
    may answer that, which a model has to say.
    """
    kind = small_talk(text)
    if kind is None or (was_asked and kind in _MAY_ANSWER):
        return None
    intent = GENERAL if kind == "number" else SMALLTALK
    return Routing(intent, "direct", rule=kind, teaches=False)


def route_known_word(text: str) -> Routing:
    """The routing of one word that stands in the registered documents: they are searched for it."""
    query = text.strip()
    return Routing(GENERAL, "rag", query=query, web="never", rule="known_word", teaches=False)


def route_without_plan(text: str) -> Routing:
    """The routing when no model gave a plan: the documents, for the text as it stands.

    Nobody has judged whether the text is private, so the web is not searched.
    """
    return Routing(GENERAL, "rag", query=text.strip(), web="never", rule="no_plan")


HISTORY_TOKENS = 1_500
ENTRY_CHARS = 1_200
DOCUMENTS_NAMED = 12
TITLE_CHARS = 80


async def plan_turn(state: TurnState, context: NodeContext) -> Routing:
    """The planner's routing, by the product's rules; without one, that of the documents alone.

    A refusal that is not about the account is as good as no plan, and told to the operator.

    Raises: ModelAccountError, DailyLimitError.
    """
    services = context.services
    listed = await readable_files(state, services)
    links = _pages(links_of(state), listed)
    prompt = await _prompt(state, listed, links, services)
    try:
        proposed = await patiently(lambda: _propose(prompt, services), context)
    except ModelAccountError:
        raise
    except UpstreamError as error:
        context.run.notes.survive("planner_failed", error)
        await services.alarm(error)
        unplanned = _without_plan(state)
        if is_for_group(state):
            return for_group(unplanned)
        return with_files(unplanned, state, listed)
    can_search_web = services.web is not None
    routing = complete_routing(
        proposed, words_of(state), services.domain, can_search_web=can_search_web
    )
    if is_for_group(state):
        return for_group(routing)
    routing = with_files(
        replace(routing, links=_wanted(routing, len(listed), links)), state, listed
    )
    has_images = bool(images_of(state) or earlier_images_of(state))
    return routing if has_images else replace(routing, image_question=None)


def reason_of(routing: Routing, state: TurnState) -> str:
    """Why the turn is answered so, in the user's language: the model's words, then our rule."""
    told = say(locale_of(state), f"reason-{routing.rule}") if routing.rule else ""
    planned = routing.reason or ("" if told else say(locale_of(state), "reason-as_planned"))
    return "; ".join(filter(None, [planned.rstrip(".。") if told else planned, told]))


def stopped_before_plan(state: TurnState) -> TurnUpdate:
    """Return the state that N4 leaves when the user stops the turn before it is planned."""
    reason = say(locale_of(state), "reason-stopped")
    return {"routing": {"intent": GENERAL, "plan": "direct", "reason": reason}}


def _wanted(routing: Routing, listed: int, links: Sequence[str]) -> tuple[str, ...]:
    """The links that the planner numbered behind the files."""
    numbers = (number - listed for number in routing.files)
    return tuple(dict.fromkeys(links[n - 1] for n in numbers if 1 <= n <= len(links)))


def _pages(links: Sequence[str], listed: Sequence[UserFile]) -> list[str]:
    """The links without the names of files, which messengers take for hosts: "notes.md"."""
    names = {file.name.lower() for file in listed}
    return [link for link in links if link.lower().removeprefix("https://") not in names]


async def _prompt(
    state: TurnState, listed: Sequence[UserFile], links: Sequence[str], services: Services
) -> Prompt:
    slots, room = fit_slots(
        "N4_build_effective_query",
        {
            "today": services.now().date(),
            "domain": services.domain,
            "source_titles": await _titles(state, services),
            "tools": list(await services.tools.names(asker_of(state, services))),
            "question": question_of(state),
            **conversation_slots(state),
            "files": [{"name": file.name, "parts": str(file.units)} for file in listed],
            "files_came": len(read_of(state)),
            "links": links,
        },
        services,
    )
    history = fit_history(
        history_of(state, ENTRY_CHARS), min(HISTORY_TOKENS, room.left), services.count_tokens
    )
    return render_prompt("N4_build_effective_query", history=history, **slots)


async def _titles(state: TurnState, services: Services) -> list[str]:
    """Return what is registered: the sources by name, and the nearest titles of documents."""
    titles = await services.catalogue.titles(words_of(state), DOCUMENTS_NAMED)
    names = await services.passages.source_titles()
    return [shorten(name, TITLE_CHARS) for name in (*names, *titles.matching, *titles.others)]


async def _propose(prompt: Prompt, services: Services) -> Routing:
    """The planner's proposal; what passes is tried again while the turn's budget lasts.

    A try may take all that is left of it: a planner that thinks is not given up half-way. A server
    that asks to wait is not waited for here.
    """
    ends_at = time.monotonic() + services.limits.model_budget_s

    retries = stamina.retry_context(
        on=(UpstreamTimeoutError, UpstreamUnavailableError),
        attempts=MODEL_TRIES,
        timeout=services.limits.model_budget_s,
        wait_initial=0.3,
        wait_jitter=0.3,
    )
    async for attempt in retries:
        with attempt:
            most_s = ends_at - time.monotonic()
            try:
                async with asyncio.timeout(most_s):
                    return await services.planner.plan(prompt)
            except TimeoutError as error:
                raise UpstreamTimeoutError("model", round(most_s, 1)) from error
    raise AssertionError("stamina ends with a result or an error")


def _without_plan(state: TurnState) -> Routing:
    routing = route_without_plan(words_of(state))
    entities = state["vision"].get("summary", {}).get("entities", ())
    return with_query(replace(routing, query=" ".join([routing.query, *entities]).strip()))
