"""Prompts of no turn, or of a part of one that takes a server: `SINGLES`, by their names."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rich_agent.composition.domain_description import DescribedSubject
from rich_agent.domain.rules import Ruling
from rich_agent.domain.runs import Run, RunAsked
from rich_agent.domain.tools import ToolCall, ToolSpec
from rich_agent.graph.acting.answering import read_answer
from rich_agent.graph.acting.foreseeing import foresee
from rich_agent.graph.acting.offering import asker_of
from rich_agent.graph.services import NodeContext, Services
from rich_agent.ports.models import Prompt
from rich_agent.ports.tools import Asker
from rich_agent.prompts import render_prompt
from rich_agent.runs.work import Completions
from rich_agent.runtime.metering import Billing
from rich_agent.upstreams.models.chat import OpenAIChatModel, OpenAISummarizer, to_messages
from rich_agent.upstreams.models.choosing import OpenAIShaper, RankingByModel
from rich_agent.upstreams.models.planning import OpenAIPlanner
from rich_agent.upstreams.servers.structured import StructuredModel
from tests import make
from tests.golden_prompts.model_server import RecordingServer, Reply
from tests.golden_prompts.situations import LIBRARY, library

Single = Callable[[RecordingServer], Awaitable[object]]
_COLOUR = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}
_ISSUES = ToolSpec(
    "issues__create",
    "Opens an issue.",
    {"type": "object", "properties": {"title": {"type": "string"}}},
    asks=True,
)


async def _rank(server: RecordingServer) -> None:
    texts = [passage.content for passage in LIBRARY]
    await RankingByModel(server.access()).rank("When does it open?", texts)


def _services(server: RecordingServer, **changes: Any) -> Services:
    """The services, with what models of this server there have to be."""
    access = server.access()
    made = replace(library().services(), **changes)
    return replace(made, planner=OpenAIPlanner(access), summarizer=OpenAISummarizer(access))


def _errands(server: RecordingServer) -> Completions:
    services = _services(server)
    return Completions(services, Billing(), OpenAIShaper(server.access()))


def _run(text: str, **changes: Any) -> Run:
    return Run(-1, 42, "run", "thread", RunAsked(text, **changes))


async def _errand(server: RecordingServer) -> None:
    await _errands(server).write(_run("A title of at most five words for: hello", is_errand=True))


async def _shape(server: RecordingServer) -> None:
    await _errands(server).shape(_run("Which colour is it?", shape=_COLOUR), "It is red. [1]")


class _PlannedTools:
    """Tools of a server, a plan of which lets a call run."""

    def decide(self, calls: Sequence[ToolCall], _asker: Asker) -> Sequence[Ruling]:
        return [Ruling("auto", "planned") for _ in calls]

    async def plannable(self, _asker: Asker) -> Sequence[ToolSpec]:
        return [_ISSUES]

    def words(self) -> tuple[()]:
        return ()


async def _plan_calls(server: RecordingServer) -> None:
    state = make.state('open an issue called "Broken lamp"')
    services = _services(server, tools=_PlannedTools())
    calls = [ToolCall("c", "issues__create", {"title": "Broken lamp"})]
    await foresee(calls, asker_of(state, services), state, NodeContext(services))


async def _read_answer(server: RecordingServer) -> None:
    state = make.state("remind me tomorrow at 8 to call mum")
    state["clarification"] = {
        "status": "answered",
        "question": "I would like to do this. Shall I?",
        "choices": ["Approve", "Cancel"],
        "approves": "0" * 16,
        "cards": [{"call_id": "c", "title": "Reminder: Call mum – tomorrow, 8:00", "fields": []}],
    }
    reply = make.request("go ahead then")
    await read_answer(reply, state, NodeContext(_services(server)))


async def _domain(server: RecordingServer) -> None:
    titles = ["Leave policy", "Booking travel"]
    beginnings = ["Everybody has 28 days of leave.", "Book trains in the portal."]
    prompt = render_prompt(
        "describe_domain", present=make.DOMAIN, titles=titles, beginnings=beginnings, about=""
    )
    await StructuredModel(server.access()).ask(to_messages(prompt), DescribedSubject)


async def _doctor(server: RecordingServer) -> None:
    prompt: Prompt = render_prompt("doctor", question="Say OK.")
    async for _ in OpenAIChatModel(server.access()).stream(prompt):
        pass


SINGLES: Mapping[str, Single] = MappingProxyType(
    {
        "N5_rank": _rank,
        "N6_plan_calls": _plan_calls,
        "N10_take_answer": _read_answer,
        "client_errand": _errand,
        "client_shape": _shape,
        "describe_domain": _domain,
        "doctor": _doctor,
    }
)
_REPLIES: Mapping[str, Sequence[Reply]] = {
    "describe_domain": [{"fits": True, "name": "a", "description": "b"}],
    "client_errand": ["A title"],
    "client_shape": [{"colour": "red"}],
    "doctor": ["OK"],
}


async def requests_of(name: str) -> list[tuple[str, dict[str, Any]]]:
    """The requests that one of them leads to."""
    server = RecordingServer(_REPLIES)
    await SINGLES[name](server)
    return server.requests
