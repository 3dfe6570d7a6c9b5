"""Routing of labelled utterances: `python -m bench.routing [--misses] [--limit N] [--language X]`.

The planner is that of the product's settings (OPENAI_BASE_URL, OPENAI_API_KEY, PLANNER_MODEL or
CHAT_MODEL, DOMAIN_…), asked by the product's own node with its own prompt and rules; up to
`--at-once` calls run at a time. What an image shows is given with the utterance; no vision model
is asked.
"""

import argparse
import asyncio
import logging
from dataclasses import replace
from typing import Any

import structlog
from langchain_core.messages import AIMessage, HumanMessage

from bench.routing.scoring import Routed, misses, report
from bench.routing.utterances import ASKS_BACK, Utterance, load
from rich_agent.commands.demo import sample_domain
from rich_agent.composition.model_server import open_models
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.services import NodeContext, TurnScope
from rich_agent.graph.state import RoutingState, TurnState
from rich_agent.ports.models import Planner
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.models.planning import OpenAIPlanner
from tests import make
from tests.acceptance.pictures import picture
from tests.scripted import ScriptedFiles, ScriptedPassages

NODE = "N4_build_effective_query"
PHOTO = {"file_id": "photo", "sha256": "0" * 64}
PICTURE = picture("red", "blue")
SOURCES = ("solana", "docs")


async def route(utterance: Utterance, planner: Planner, settings: Settings) -> Routed:
    """Route one utterance as the node does."""
    cast = make.Fakes(
        passages=ScriptedPassages(titles=SOURCES),
        files=ScriptedFiles({"photo": PICTURE}),
    )
    meter = Meter()
    services = replace(cast.services(), planner=planner, domain=settings.turn.domain)
    context = NodeContext(services, TurnScope(meter=meter))
    state = state_of(utterance)
    with bill_to(meter, NODE):
        update = await build_effective_query(state, make.FakeRuntime(context))  # type: ignore[arg-type]  # what the node sees of a runtime
    routing, clarification = update.get("routing", {}), update.get("clarification") or {}
    asks_back = clarification.get("status") == "wanted"
    used = meter.used_in(NODE)
    return Routed(
        utterance,
        intent=routing.get("intent", ""),
        plan=ASKS_BACK if asks_back else routing.get("plan", ""),
        query=update.get("rag", {}).get("query", ""),
        by_model=bool(used),
        web=_web_use(routing),
        failed="planner_failed" in context.run.notes.survived,
        tokens=sum(one.get("input_tokens", 0) + one.get("output_tokens", 0) for one in used),
    )


def _web_use(routing: RoutingState) -> str:
    if "web" in routing.get("plan", ""):
        return "now"
    return "if_needed" if routing.get("may_widen") else "never"


def state_of(utterance: Utterance) -> TurnState:
    """The state of a turn that is about to be planned."""
    message = {"user": HumanMessage, "assistant": AIMessage}
    before = [
        message[role](text, id=f"r{number}:{role}")
        for number, (role, text) in enumerate(utterance.history)
    ]
    received: dict[str, Any] = {"text": utterance.text}
    vision: dict[str, Any] = {}
    if utterance.image:
        received |= {"image": PHOTO, "images": [PHOTO]}
        vision = {"summary": {**utterance.image, "tables": [], "warnings": []}, "cached": True}
    if utterance.reply_to:
        received["reply_context"] = {"message_id": 1, **utterance.reply_to}
    if utterance.forwarded:
        received["forwarded"] = utterance.forwarded
    return make.state(
        utterance.text,
        messages=[*before, HumanMessage(utterance.text, id="r1:user")],
        input=received,
        vision=vision,
        user={"telegram_user_id": 42, "locale": utterance.language},
    )


async def main() -> None:
    """Route all utterances, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.routing")
    parser.add_argument("--limit", type=int, help="only so many utterances")
    parser.add_argument("--language", nargs="+", default=[], help="only those in these, as: de ko")
    parser.add_argument("--misses", action="store_true", help="name those that do not fit")
    parser.add_argument("--at-once", type=int, default=4, help="calls at a time")
    asked = parser.parse_args()
    # A planner that fails is counted, not logged.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    settings = Settings.load(**sample_domain())
    utterances = [
        one for one in load(asked.limit) if one.language in (asked.language or [one.language])
    ]
    routed = await _by_model(utterances, settings, asked.at_once)
    name = settings.models.role("planner").model
    print(f"{len(routed)} utterances, {name}\n\n{report(routed)}")
    if asked.misses:
        print(f"\n{misses(routed)}")


async def _by_model(utterances: list[Utterance], settings: Settings, at_once: int) -> list[Routed]:
    room = asyncio.Semaphore(at_once)
    async with open_models() as access:
        planner = OpenAIPlanner(access(settings.models.role("planner")))

        async def one(utterance: Utterance) -> Routed:
            async with room:
                return await route(utterance, planner, settings)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(utterance)) for utterance in utterances]
    return [task.result() for task in tasks]


if __name__ == "__main__":
    asyncio.run(main())
