"""Reports of nodes: what they tell of a run, and what they keep to themselves."""

import json

import pytest

from rich_agent.domain.answer.trace import NodeReport
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.routing.plan import Plan
from rich_agent.errors import MalformedOutputError, UpstreamTimeoutError, UpstreamUnavailableError
from rich_agent.graph.reports import MOST_SIZES, NodeNotes, report_of, sizes_of
from tests import make
from tests.scripted import ScriptedChat, ScriptedEmbeddings, ScriptedExtractor, ScriptedPlanner
from tests.turns_in_memory import cast_for, run, turns_with

SECRET = "my-secret-canary"


async def reports_of(cast: make.Fakes, **request: object) -> dict[str, NodeReport]:
    """The reports of a turn, as its decision keeps them."""
    await run(turns_with(cast), **request)
    decision = await cast.decisions.latest("tg:42")
    assert decision is not None
    return {node: NodeReport.from_json(told) for node, told in decision.nodes.items()}


@pytest.mark.req("OBS-1", "TOOL-3")
@pytest.mark.parametrize("plan", ["direct", "rag", "web", "rag+web"])
async def test_report_is_there_for_every_node_that_ran(plan: Plan) -> None:
    """With what went in and what came out, N7 included."""
    cast = cast_for(plan)
    reports = await reports_of(cast, photos=("photo",))
    decision = await cast.decisions.latest("tg:42")
    assert decision is not None
    assert set(reports) == set(decision.latency_ms)
    assert "N7_persist" in reports
    assert all(report.input and report.output for report in reports.values())


@pytest.mark.req("OBS-1")
async def test_report_counts_what_a_node_read_and_gave() -> None:
    """Texts by their length, lists by their number, plans by name."""
    reports = await reports_of(cast_for("rag"), text="What is staking?")
    assert reports["N1_ingest_input"].input["request.text"] == "16 characters"
    assert reports["N4_build_effective_query"].output["routing.plan"] == "rag"
    assert reports["N5_retrieve"].output["rag.retrieved_chunks"] == 1
    assert reports["N6_synthesize"].output["answer.citations"] == 1
    assert reports["N6_synthesize"].input["rag.retrieved_chunks"] == 1


@pytest.mark.req("OBS-1")
async def test_report_holds_no_word_of_the_user() -> None:
    """Neither of the question, nor of the reply, nor of the answer, nor of what was found."""
    cast = cast_for("rag")
    cast.chat = ScriptedChat((f"It is {SECRET} [1].",))
    cast.passages.passages = [make.passage(content=SECRET, title=SECRET)]
    await reports_of(cast, text=f"What is {SECRET}?")
    decision = await cast.decisions.latest("tg:42")
    assert decision is not None
    assert SECRET not in json.dumps(decision.nodes)


@pytest.mark.req("OBS-1")
async def test_report_names_what_was_survived() -> None:
    """A planner, an embedding model and a memory that failed, each at its node."""
    cast = cast_for("rag")
    cast.planner = ScriptedPlanner(failure=MalformedOutputError("model", "no plan"))
    cast.embeddings = ScriptedEmbeddings(failure=UpstreamTimeoutError("embeddings", 1))
    cast.extractor = ScriptedExtractor(failure=UpstreamUnavailableError("model", "503"))
    cast.passages.complete = VectorSpace("scripted", 2)
    reports = await reports_of(cast, text="I wonder what staking is?")
    survived = {node: report.survived for node, report in reports.items() if report.survived}
    assert survived == {
        "N4_build_effective_query": {"planner_failed": "MalformedOutputError"},
        "N5_retrieve": {"embedding_failed": "UpstreamTimeoutError"},
        "N7_persist": {"memory_not_updated": "UpstreamUnavailableError"},
    }


@pytest.mark.req("OBS-1", "COST-1")
async def test_report_counts_the_images_that_were_known() -> None:
    """None of a first sight, one of a second."""
    cast = cast_for("direct")
    first = await reports_of(cast, photos=("photo",))
    again = await reports_of(cast, photos=("photo",), request_id="r2")
    hits = [told["N3_vision_summarize"].counts.get("cache_hits", 0) for told in (first, again)]
    assert hits == [0, 1]


@pytest.mark.req("OBS-1")
async def test_report_counts_the_tries_of_a_node() -> None:
    """A model that answers the second time took two attempts; the other nodes one."""
    cast = cast_for("direct")
    cast.chat = ScriptedChat(("Whole.",), [UpstreamUnavailableError("model", "cut")])
    reports = await reports_of(cast)
    assert reports["N6_synthesize"].attempts == 2
    assert {r.attempts for node, r in reports.items() if node != "N6_synthesize"} == {1}


@pytest.mark.req("OBS-1", "DUR-1")
async def test_report_says_where_a_turn_was_taken_up_again() -> None:
    """Only the node that did not come to its end is marked."""
    cast = cast_for("rag")
    cast.chat = ScriptedChat(("So.",), [UpstreamUnavailableError("model", "cut")] * 3)
    turns = turns_with(cast)
    with pytest.raises(UpstreamUnavailableError):
        await run(turns)
    decision = await cast.decisions.latest("tg:42")
    assert decision is not None
    assert list(decision.nodes) == ["N1_ingest_input", "N2_load_long_term_memory"]
    await run(turns)
    decision = await cast.decisions.latest("tg:42")
    assert decision is not None
    reports = {node: NodeReport.from_json(told) for node, told in decision.nodes.items()}
    assert [node for node, report in reports.items() if report.resumed] == ["N6_synthesize"]


def test_sizes_are_bounded_and_say_how_many_are_missing() -> None:
    """However much a node returns."""
    sizes = sizes_of({"rag": {f"field{number}": "x" for number in range(100)}})
    assert len(sizes) == MOST_SIZES + 1
    assert sizes["more"] == 100 - MOST_SIZES


def test_sizes_leave_out_ids_hashes_and_what_is_empty() -> None:
    """They say nothing of how much there was."""
    values = {"user": {"telegram_user_id": 42, "locale": "en"}, "image": {"sha256": "a" * 64}}
    assert sizes_of({**values, "text": "", "none": None}) == {"user.locale": "en"}


def test_sizes_show_only_the_words_of_the_product() -> None:
    """A plan is one; what somebody put into its place is not."""
    assert sizes_of({"plan": "rag+web"}) == {"plan": "rag+web"}
    assert sizes_of({"plan": "Ada's IBAN: DE00"}) == {"plan": "16 characters"}


def test_report_is_read_as_it_was_written() -> None:
    """Also one of an older shape, which then tells nothing."""
    report = report_of("N5_retrieve", make.state(), {"rag": {"query": "q"}}, NodeNotes(attempt=2))
    assert NodeReport.from_json(json.loads(json.dumps(report.to_json()))) == report
    assert NodeReport.from_json({"rag": {"retrieved_chunks": "6 items"}}) == NodeReport()
