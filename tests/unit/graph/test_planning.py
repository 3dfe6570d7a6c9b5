"""The planning call: what is tried again, for how long, and what is done without a plan."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import stamina
from langchain_core.messages import AIMessage, HumanMessage
from typing_extensions import override

from rich_agent.domain.routing.plan import Clarification, ForgetWish, PastQuestion, Routing
from rich_agent.errors import (
    BrokenAnswerError,
    MalformedOutputError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.graph.decisions import is_withheld
from rich_agent.graph.nodes.build_effective_query import build_effective_query
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.planning import plan_turn
from rich_agent.graph.services import MODEL_TRIES, Limits
from rich_agent.phrases import say
from rich_agent.ports.knowledge import DocumentTitles
from rich_agent.ports.models import ModelAccountError, ModelBusyError, Prompt
from rich_agent.upstreams.models.planning import OpenAIPlanner
from tests import make
from tests.scripted import ScriptedCatalogue, ScriptedPassages, ScriptedPlanner
from tests.unit.upstreams.servers import ModelServer

PLANNED = Routing("general_question", "web", "it changes", "q", web="now")


@dataclass
class Failing:
    """A planner that fails in this order before it plans."""

    failures: list[Exception]
    calls: int = field(default=0)

    async def plan(self, prompt: Prompt) -> Routing:  # noqa: ARG002 - the protocol's
        """See `Planner`."""
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return PLANNED


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    with stamina.set_testing(testing=True, attempts=MODEL_TRIES, cap=True):
        yield


@pytest.mark.parametrize(
    "failure",
    [
        UpstreamTimeoutError("model", 60),
        UpstreamUnavailableError("model", "answered 500"),
        ModelBusyError("model", 0.0),
        BrokenAnswerError("model", "its answer broke off"),
    ],
)
async def test_plan_turn_tries_again_what_passes(failure: Exception) -> None:
    """Two failures do not cost the plan."""
    planner = Failing([failure, failure])
    cast = make.Fakes(planner=planner)  # type: ignore[arg-type]  # a planner of another kind
    routing = await plan_turn(make.state(), cast.context())
    assert (routing.plan, routing.query, planner.calls) == ("web", "q", 3)


@pytest.mark.parametrize(
    ("failure", "calls"),
    [
        (UpstreamUnavailableError("model", "answered 500"), MODEL_TRIES),
        (ModelBusyError("model", 600.0), 1),
        # It was shown to the model and repaired already.
        (MalformedOutputError("model", "no plan"), 1),
        (UpstreamRefusedError("model", "refused with 400: no"), 1),
    ],
)
async def test_plan_turn_without_a_plan_asks_the_documents_alone(
    failure: Exception, calls: int
) -> None:
    """As the question stands, whatever it is about; the web is not permitted later either."""
    planner = Failing([failure] * MODEL_TRIES)
    cast = make.Fakes(planner=planner)  # type: ignore[arg-type]  # a planner of another kind
    context = cast.context()
    update = await build_effective_query(
        make.state("What is SOL worth today?"),
        make.FakeRuntime(context),  # type: ignore[arg-type]  # what the node sees of a runtime
    )
    assert planner.calls == calls
    assert (update["routing"]["plan"], update["routing"]["may_widen"]) == ("rag", False)
    assert update["rag"]["query"] == "What is SOL worth today?"
    assert "no plan" in update["routing"]["reason"]
    assert "planner_failed" in context.run.notes.survived


async def test_plan_turn_waits_for_a_server_that_is_restarted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It answers 500 for twelve seconds, which is no reason to go without a plan."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    class Restarted(Failing):
        @override
        async def plan(self, prompt: Prompt) -> Routing:
            self.calls += 1
            if sum(pauses) < 12:
                raise UpstreamUnavailableError("model", "answered 500")
            return PLANNED

    monkeypatch.setattr("asyncio.sleep", pause)
    cast = make.Fakes(planner=Restarted([]))  # type: ignore[arg-type]  # a planner of another kind
    with stamina.set_testing(testing=False):
        assert (await plan_turn(make.state(), cast.context())).plan == "web"


async def test_plan_turn_waits_for_a_slow_planner_as_long_as_there_is_time() -> None:
    """A planner that thinks for most of the time is not given up half-way."""

    class Slow(Failing):
        @override
        async def plan(self, prompt: Prompt) -> Routing:
            self.calls += 1
            await asyncio.sleep(0.8)
            return PLANNED

    planner = Slow([])
    cast = make.Fakes(planner=planner, limits=Limits(model_budget_s=2.0))  # type: ignore[arg-type]  # a planner of another kind
    assert (await plan_turn(make.state(), cast.context())).plan == "web"
    assert planner.calls == 1


async def test_plan_turn_raises_what_an_operator_has_to_hint() -> None:
    """A wrong key is no reason to guess, and no reason to ask again."""
    planner = Failing([ModelAccountError("model", "key", "401", hint="Check the key.")])
    cast = make.Fakes(planner=planner)  # type: ignore[arg-type]  # a planner of another kind
    with pytest.raises(ModelAccountError):
        await plan_turn(make.state(), cast.context())
    assert planner.calls == 1


async def test_an_unplanned_answer_waits_where_any_kind_is_approved() -> None:
    """Nobody knows of what kind it is."""
    planner = Failing([MalformedOutputError("model", "no plan")])
    cast = make.Fakes(planner=planner)  # type: ignore[arg-type]  # a planner of another kind
    update = await build_effective_query(make.state(), make.runtime(cast))
    assert is_withheld(update, {"docs_required"})
    assert not is_withheld(update, ())
    assert not is_withheld({"routing": {"intent": "general_question"}}, {"docs_required"})


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize("text", ["liquidation", "Liquidation!", "liquidation?"])
async def test_word_of_the_documents_is_searched_for_without_a_model(text: str) -> None:
    """The index of words decides, and the web is left alone; answers of a kind unknown wait."""
    cast = make.Fakes(passages=ScriptedPassages(words=["liquidation"]))
    update = await build_effective_query(make.state(text), make.runtime(cast))
    assert cast.planner.prompts == []
    assert (update["routing"]["plan"], update["rag"]["query"]) == ("rag", text)
    assert not update["routing"]["may_widen"]
    assert is_withheld(update, {"docs_required"})


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(("text", "calls"), [("hi", 0), ("hola", 0), ("ok", 1), ("Liquidation", 1)])
async def test_word_of_no_document_is_planned_unless_it_is_small_talk(
    text: str, calls: int
) -> None:
    """The meaning of a word that stands nowhere is for the model to say."""
    cast = make.Fakes()
    await build_effective_query(make.state(text), make.runtime(cast))
    assert len(cast.planner.prompts) == calls


@pytest.mark.req("ROUTE-2")
async def test_word_of_the_documents_in_a_conversation_is_planned() -> None:
    """After a question on staking, "fees" asks for those of staking, which a model can tell."""
    cast = make.Fakes(passages=ScriptedPassages(words=["fees"]))
    before = [HumanMessage("What is staking?", id="r0:user"), AIMessage("So.", id="r0:assistant")]
    state = make.state("Fees", messages=[*before, HumanMessage("Fees", id="r1:user")])
    await build_effective_query(state, make.runtime(cast))
    assert len(cast.planner.prompts) == 1


@pytest.mark.req("ROUTE-5")
async def test_planner_is_shown_the_titles_that_come_near() -> None:
    """By them it can tell a question that the company's own documents answer."""
    listed = DocumentTitles(("Urlaubsregelung",), ("Reisekosten",))
    cast = make.Fakes(catalogue=ScriptedCatalogue(listed=listed))
    await plan_turn(make.state("Wie viele Tage Urlaub habe ich?"), cast.context())
    (prompt,) = cast.planner.prompts
    assert "<sources>Sample</sources>" in prompt.system
    assert "<titles>Urlaubsregelung; Reisekosten</titles>" in prompt.user


@pytest.mark.parametrize(
    ("before", "planned", "locale"),
    [("de de", "pl", "de"), ("de pl", "pl", "pl"), ("", "pl", "pl"), ("de", "pl", "de")],
)
async def test_our_own_words_follow_most_of_the_last_messages(
    before: str, planned: str, locale: str
) -> None:
    """A short yes that is taken for another language changes them in no case."""
    cast = make.Fakes(planner=ScriptedPlanner(Routing("g", "direct", "r", language=planned)))
    state = make.state("ja", written_in=before, user={"telegram_user_id": 42, "locale": "de"})
    state |= await build_effective_query(state, make.runtime(cast))
    assert state["user"]["locale"] == locale


@pytest.mark.parametrize(
    ("language", "chosen", "locale"),
    [
        ("fr", None, "fr"),
        ("fr-CH", None, "fr"),
        ("de", None, "de"),
        ("sv", None, "en"),
        ("ja", None, "en"),
        ("de", "en", "en"),
        ("", None, "en"),
    ],
)
async def test_the_planner_says_in_which_language_the_turn_speaks(
    language: str, chosen: str | None, locale: str
) -> None:
    """The answer is told it; our own words follow where it can be, and nothing was chosen."""
    planned = Routing("general_question", "direct", "r", language=language)
    cast = make.Fakes(planner=ScriptedPlanner(planned))
    request = make.stored(locale=chosen)
    state = make.state("Hm?", request=request)
    state |= await build_effective_query(state, make.runtime(cast))
    assert state["user"]["locale"] == locale
    await synthesize(state, make.runtime(cast))
    told = f"in the language with the tag `{language}`."
    assert (told in cast.chat.prompts[0].user) == bool(language)


@pytest.mark.req("TOOL-1", "ROUTE-5")
@pytest.mark.parametrize(
    ("text", "planned", "is_told"),
    [
        ("What day is it today?", Routing("general_question", "direct", "r", web="now"), False),
        ("¿Qué día es hoy?", Routing("general_question", "direct", "r", web="never"), False),
        ("今天的新闻？", Routing("general_question", "web", "r", "q", web="now"), True),
    ],
)
async def test_without_a_web_search_the_model_answers(
    text: str, planned: Routing, *, is_told: bool
) -> None:
    """It knows today's date; the web is spoken of only where the planner wanted to search it."""
    cast = make.Fakes(web=None, planner=ScriptedPlanner(planned))
    state = make.state(text)
    state |= await build_effective_query(state, make.runtime(cast))
    assert state["routing"]["plan"] == "direct"
    answer = (await synthesize(state, make.runtime(cast)))["answer"]["text"]
    assert answer.startswith("An answer.")
    notice = say(state["user"]["locale"], "web-unavailable")
    assert (notice in answer) == is_told
    assert "It is now Thursday, 2026-01-01 00:00 UTC" in cast.chat.prompts[0].user
    assert ("The web cannot be searched." in cast.chat.prompts[0].user) == is_told


@pytest.mark.parametrize(
    ("locale", "text", "reason"),
    [("en", "thanks", "a word of thanks"), ("ja", "thanks", "お礼の言葉")],
)
async def test_the_reason_of_a_rule_is_in_the_users_language(
    locale: str, text: str, reason: str
) -> None:
    """The reason that users read in /why is no key of a table."""
    cast = make.Fakes()
    state = make.state(text, user={"telegram_user_id": 42, "locale": locale})
    update = await build_effective_query(state, make.runtime(cast))
    (decision,) = cast.decisions.rows.values()
    assert update["routing"]["reason"] == decision.reason == reason


async def test_planner_chooses_among_the_addresses_of_the_user() -> None:
    """By number: it cannot name one of its own, nor one that is not there."""
    state = make.state(text="What does it say?")
    state["input"]["links"] = ["https://one.example", "https://two.example"]
    planner = ScriptedPlanner(Routing("general_question", "direct", "", "q", files=(2, 3, 0, 2)))
    routing = await plan_turn(state, make.Fakes(planner=planner).context())
    assert routing.links == ("https://two.example",)


PROSE = "I cannot say."
FORGETTING = json.dumps({"scope": "last", "what": "", "words": []})


@pytest.mark.parametrize(
    ("flags", "reply", "failures", "details"),
    [
        (("forget",), PROSE, 0, (ForgetWish("subject", "Forget that"), None, None)),
        (("about_the_past",), PROSE, 0, (None, PastQuestion("Forget that"), None)),
        (("clarification",), PROSE, 0, (None, None, None)),
        (("clarification", "forget"), PROSE, 0, (ForgetWish("subject", "Forget that"), None, None)),
        (("forget",), FORGETTING, 2, (ForgetWish("last"), None, None)),
        (("forget",), FORGETTING, 99, (ForgetWish("subject", "Forget that"), None, None)),
    ],
)
async def test_plan_turn_keeps_a_plan_whose_details_are_missing(
    flags: tuple[str, ...], reply: str, failures: int, details: tuple[object, ...]
) -> None:
    """The message stands for them, and the plan is paid for once."""
    plan = {"intent": "general_question", "plan": "direct", **dict.fromkeys(flags, True)}
    left = [503] * failures
    server = ModelServer(says=[json.dumps(plan), reply])
    server.refuse = lambda _: (left.pop(), {}) if server.answered and left else None
    async with server.access() as access:
        cast = make.Fakes(planner=OpenAIPlanner(access))  # type: ignore[arg-type]  # a real one
        routing = await plan_turn(make.state("Forget that"), cast.context())
    assert (routing.rule, routing.plan) == (None, "direct")
    assert (routing.forget, routing.past, routing.clarification) == details
    assert _plans_in(server) == 1


def _plans_in(server: ModelServer) -> int:
    """The number of requests for a plan."""
    return sum(len(body["messages"]) == len(server.asked[0]["messages"]) for body in server.asked)


SESSION = {"session": {"id": 7, "template": "plan"}}
IMAGE = {"vision": {"summary": {"summary": "A cat.", "entities": []}}}


@pytest.mark.parametrize(
    ("text", "changes", "flags", "calls"),
    [
        ("", IMAGE, {"clarification": True}, 1),
        ("that one?", IMAGE, {"clarification": True}, 2),
        ("and now?", SESSION, {"clarification": True, "about_the_past": True}, 1),
        ("forget it", SESSION, {"forget": True}, 2),
        ("stop; what did I say?", SESSION, {"leaves_session": True, "about_the_past": True}, 2),
    ],
)
async def test_plan_turn_asks_for_no_details_that_nothing_uses(
    text: str, changes: dict[str, Any], flags: dict[str, bool], calls: int
) -> None:
    """A lone image has a question of its own, and a session goes on whatever is unclear."""
    plan = {"intent": "general_question", "plan": "direct", **flags}
    server = ModelServer(says=[json.dumps(plan), "{}"])
    async with server.access() as access:
        cast = make.Fakes(planner=OpenAIPlanner(access))  # type: ignore[arg-type]  # a real one
        routing = await plan_turn(make.state(text, **changes), cast.context())
    assert len(server.asked) == calls
    assert not routing.open_details
    if changes is IMAGE and not text:
        assert "A cat." in (routing.clarification or Clarification("")).question
