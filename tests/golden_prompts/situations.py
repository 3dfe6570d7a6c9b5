"""The situations in which prompts are looked at: what came, and what models say to it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from rich_agent.composition.app import for_groups
from rich_agent.domain.message import (
    IncomingMessage,
    TurnRequest,
)
from rich_agent.graph.services import Services
from rich_agent.tools.tool import Outcome
from rich_agent.turns.runner import GraphTurns
from rich_agent.upstreams.models.chat import OpenAIChatModel, OpenAISummarizer
from rich_agent.upstreams.models.choosing import OpenAIChooser
from rich_agent.upstreams.models.memory_extraction import OpenAIMemoryExtractor
from rich_agent.upstreams.models.planning import OpenAIPlanner
from rich_agent.upstreams.models.vision import OpenAIVisionModel
from tests import make
from tests.acceptance.pictures import picture
from tests.golden_prompts.model_server import Json, RecordingServer, Reply
from tests.own_tools import every_tool
from tests.scripted import ScriptedFiles, ScriptedPassages, ScriptedWeb
from tests.turns_in_memory import UnprunedSaver, graph_on

PLAN, ANSWER, CHECK = "N4_build_effective_query", "N6_synthesize", "N6_check"
BERLIN = "Europe/Berlin"
LIBRARY = [
    make.passage(1, content="The library opens at noon.", title="Visiting", section="Hours"),
    make.passage(2, content="A card costs 9 euros a year.", title="Fees", section=""),
]
WEB = [make.passage(3, id="web:3", kind="web", content="The library opens at ten.", title="News")]
REMINDED = Outcome({"reminder": 7}, done="Reminder: call Ana – tomorrow, 9:00", undo={"id": 7})
Prepare = Callable[[make.Fakes], Awaitable[None] | None]


def plan(**fields: object) -> Json:
    """A plan of the planner, from the documents unless `fields` say otherwise."""
    return {
        "reason": "It may stand there.",
        "intent": "docs_required",
        "plan": "rag",
        "web": "never",
        "teaches": False,
        "query": "opening hours",
        "language": "en",
        **fields,
    }


def direct(**fields: object) -> Json:
    """A plan for which nothing is looked up."""
    return plan(intent="general_question", plan="direct", query="", **fields)


@dataclass(frozen=True, slots=True)
class Situation:
    """A message, what models answer while it is, and the prompts that are looked at.

    `change` changes the message, `request` its request, `prepare` what is stored before it came.
    `earlier` are messages that were answered before, and `reply` answers what is asked back. Tools
    give their `outcomes`. Of each prompt the last request of the turn counts.
    """

    name: str
    text: str
    prompts: Sequence[str] = (PLAN, ANSWER)
    plan: Json = field(default_factory=plan)
    replies: Mapping[str, Sequence[Reply]] = field(default_factory=dict)
    change: Mapping[str, Any] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)
    earlier: Sequence[str] = ()
    reply: str = ""
    prepare: Prepare | None = None
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    zone: str = BERLIN
    takes_tools: bool = True
    has_end: bool = True

    async def requests(self) -> list[tuple[str, Json]]:
        """The requests that this situation leads to, with the names of their prompts."""
        usual: dict[str, Sequence[Reply]] = {
            PLAN: [self.plan],
            ANSWER: ["It opens at noon. [1]"],
            CHECK: [SUPPORTED],
        }
        used = recording(takes_tools=self.takes_tools)
        server = used.server.begin({**usual, **self.replies}, has_end=self.has_end)
        cast = library(self.outcomes)
        if self.prepare and (preparing := self.prepare(cast)):
            await preparing
        saver = UnprunedSaver()
        services = used.serving(cast.services())
        groups = replace(for_groups(services), web=None)
        turns = GraphTurns(graph_on(saver), services, saver, group_services=groups)
        for number, text in enumerate(self.earlier):
            await _run(turns, self._request(text, f"r{number}", {}, {}))
        server.requests.clear()
        await _run(turns, self._request(self.text, "now", self.change, self.request))
        if self.reply:
            await _run(turns, self._request(self.reply, "reply", {}, {}))
        last = dict(server.requests)
        return [(name, last[name]) for name in self.prompts]

    def _request(
        self, text: str, request_id: str, change: Mapping[str, Any], of_request: Mapping[str, Any]
    ) -> TurnRequest:
        made = make.request(text, request_id=request_id)
        user = replace(made.message.user, time_zone=self.zone)
        message: IncomingMessage = replace(made.message, user=user, **change)
        return replace(made, message=message, **of_request)


async def _run(turns: GraphTurns, request: TurnRequest) -> None:
    async for _ in turns.run(request):
        pass


def library(outcomes: Mapping[str, Outcome] | None = None) -> make.Fakes:
    """A bot with documents on a library, a web search, and every tool."""
    web = ScriptedWeb(WEB)
    return make.Fakes(
        passages=ScriptedPassages(LIBRARY, titles=("Handbook of the library",)),
        web=web,
        files=ScriptedFiles({"photo": picture("red", "blue"), "pdf": b"Page one.\fPage two."}),
        tools=every_tool(web, outcomes),
    )


@dataclass(frozen=True, slots=True)
class Recording:
    """A server, and the real adapters of models on it, each of which takes long to make."""

    server: RecordingServer
    models: Mapping[str, Any]

    def serving(self, services: Services) -> Services:
        """The services with these adapters."""
        return replace(services, **dict(self.models))


@cache
def recording(*, takes_tools: bool = True) -> Recording:
    """The recording of this process, whose server is set before each use."""
    server = RecordingServer(takes_tools=takes_tools)
    access = server.access()
    models = {
        "chat": OpenAIChatModel(access),
        "planner": OpenAIPlanner(access),
        "chooser": OpenAIChooser(access),
        "vision": OpenAIVisionModel(access),
        "extractor": OpenAIMemoryExtractor(access),
        "summarizer": OpenAISummarizer(access),
    }
    return Recording(server, models)


SUPPORTED: Json = {"supported": [{"sentence": 1, "passages": [1]}]}
