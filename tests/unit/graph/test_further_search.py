"""Further rounds of a search: what begins them, what they bring, and what ends them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rich_agent.domain.answer.trace import NodeReport
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.retrieval.passage import Retrieval
from rich_agent.domain.routing.plan import Routing
from rich_agent.errors import UpstreamUnavailableError
from rich_agent.graph.services import FeaturePassage, Limits, PassageRequest
from rich_agent.phrases import say
from rich_agent.ports.knowledge import DocumentExcerpt, ExcerptPassage
from rich_agent.turns.runner import Answered, Finished
from tests import make
from tests.scripted import ScriptedCatalogue, ScriptedChat, ScriptedPassages, ScriptedPlanner
from tests.turns_in_memory import run, turns_with

ASKED = "What is the tick length of the network that the Raven wallet runs on?"
DESCRIBED = "the network that the Raven wallet runs on"
RAVEN = make.passage(1, content="The Raven wallet runs on Tarn.")
OTHERS = [make.passage(number) for number in range(10, 16)]
TARN = make.passage(2, content="A tick of Tarn takes 90 ms.")
TICKS = "Tarn tick length"


def cast(
    *searches: FurtherSearch | Exception, described: str = DESCRIBED, **limits: Any
) -> make.Fakes:
    """A cast whose planner wants these searches, one after the other."""
    routing = Routing("general_question", "rag", "r", ASKED, described=described)
    return make.Fakes(
        chat=ScriptedChat(("It takes 90 ms [1].",)),
        planner=ScriptedPlanner(routing, searches=list(searches)),
        passages=ScriptedPassages([RAVEN, *OTHERS], {TICKS: [TARN], "nothing": []}),
        limits=Limits(retrieval=Retrieval(**limits)),
    )


async def asked(made: make.Fakes) -> Finished:
    """The end of a turn with the question."""
    finished = (await run(turns_with(made), ASKED))[-1]
    assert isinstance(finished, Finished)
    return finished


def read_by(made: make.Fakes) -> list[str]:
    """Ids of the passages that the answer was written from, in order."""
    (decision,) = made.decisions.rows.values()
    return [passage["id"] for passage in decision.retrieved]


async def test_described_thing_is_looked_up_by_its_name() -> None:
    """New passages stand behind those that were read, in their order; one further call."""
    made = cast(FurtherSearch(useful=(1,), queries=(TICKS,)))
    finished = await asked(made)
    assert "N14_search_further" in finished.outcome.nodes
    most = Retrieval().passages
    assert read_by(made) == [*(one.id for one in [RAVEN, *OTHERS][:most]), "chk_2"]
    assert len(made.planner.read) == 1
    assert DESCRIBED in made.planner.read[0].user
    assert RAVEN.content in made.planner.read[0].user


async def test_question_that_names_its_subject_makes_no_further_call() -> None:
    """Nor does it visit the node."""
    made = cast(FurtherSearch(queries=(TICKS,)), described="")
    finished = await asked(made)
    assert "N14_search_further" not in finished.outcome.nodes
    assert made.planner.read == []


async def test_part_with_weak_evidence_is_looked_for_in_other_words() -> None:
    """The other part has some; where none has, nothing is asked."""
    made = cast(FurtherSearch(queries=(TICKS,)), described="")
    made.planner.routing = replace(made.planner.routing, queries=("a", "b"))
    made.passages.by_query = {**made.passages.by_query, "b": []}
    await asked(made)
    assert len(made.planner.read) == 1
    assert "chk_2" in read_by(made)
    bare = cast(FurtherSearch(queries=(TICKS,)), described="")
    bare.planner.routing = made.planner.routing
    bare.passages.by_query = {"a": [], "b": []}
    await asked(bare)
    assert bare.planner.read == []


@pytest.mark.parametrize(
    ("limits", "calls"),
    [({"rounds": 1}, 0), ({"rounds": 2}, 1), ({"rounds": 3}, 2), ({"rounds_tokens": 0}, 0),
     ({"rounds_s": 0.0}, 0)],
)  # fmt: skip
async def test_budgets_end_the_rounds(limits: dict[str, Any], calls: int) -> None:
    """Whatever the model still wants, the answer is written from what there is."""
    greedy = FurtherSearch(queries=(TICKS,), goes_on=True)
    made = cast(greedy, greedy, greedy, greedy, **limits)
    finished = await asked(made)
    assert len(made.planner.read) == calls
    assert finished.outcome.answer.text


@pytest.mark.parametrize(("words", "rounds_tokens"), [(800, 12_000), (20, 3_200)])
async def test_second_round_reads_as_much_as_the_first_left(words: int, rounds_tokens: int) -> None:
    """The passages share the tokens with the question, the tags and the task."""
    made = cast(FurtherSearch(queries=(TICKS,), goes_on=True), FurtherSearch())
    near = [make.passage(number, content=f"{number}{' word' * words}") for number in range(10, 26)]
    made.passages = ScriptedPassages(near, {TICKS: [TARN]})
    made.limits = Limits(retrieval=Retrieval(len(near), rounds_tokens=rounds_tokens))
    await asked(made)
    count_tokens = made.services().count_tokens
    first_tokens, second_tokens = (count_tokens(look.user) for look in made.planner.read)
    assert first_tokens + second_tokens <= rounds_tokens
    assert made.planner.read[1].user.count("</passage>") > 1


async def test_round_that_finds_nothing_ends_them() -> None:
    """The passages of the first round stay as they were."""
    made = cast(FurtherSearch(queries=("nothing",), goes_on=True))
    await asked(made)
    assert len(made.planner.read) == 1
    assert read_by(made)[0] == "chk_1"


async def test_failed_planner_ends_the_rounds_and_is_told() -> None:
    """The answer comes all the same."""
    made = cast(UpstreamUnavailableError("model", "503"))
    finished = await asked(made)
    (decision,) = made.decisions.rows.values()
    report = NodeReport.from_json(decision.nodes["N14_search_further"])
    assert "further_search_failed" in report.survived
    assert finished.outcome.answer.text


async def test_slow_server_is_asked_for_no_further_search() -> None:
    """Two calls come before the first word; an answer that lacks something says why."""
    made = cast(FurtherSearch(useful=(1,), queries=(TICKS,)))
    made.optional_calls = make.slow_server()
    made.chat = ScriptedChat(("My documents do not say how long a tick is.",))
    finished = await asked(made)
    assert made.planner.read == []
    assert finished.outcome.answer.text.count(say("en", "look-left-out")) == 1
    (decision,) = made.decisions.rows.values()
    assert NodeReport.from_json(decision.nodes["N14_search_further"]).counts == {
        "look_left_out": 1,
        "further_queries": 0,
    }


async def test_answer_that_lacks_nothing_tells_no_left_out_search() -> None:
    """It cites what the first search found."""
    made = cast(FurtherSearch(useful=(1,), queries=(TICKS,)))
    made.optional_calls = make.slow_server()
    made.chat = ScriptedChat(("The Raven wallet runs on Tarn [1].",))
    finished = await asked(made)
    assert made.planner.read == []
    assert say("en", "look-left-out") not in finished.outcome.answer.text


async def test_neighbours_and_headings_are_read_when_wanted() -> None:
    """Headings go into the next prompt, neighbours among the passages."""
    near = (ExcerptPassage("chk_1", "Top", "a"), ExcerptPassage("chk_9", "Next", "The next part."))
    made = cast(FurtherSearch(useful=(1,), around=(1,), outlines=(1,)), FurtherSearch(useful=(1,)))
    made.catalogue = ScriptedCatalogue(
        excerpts={"chk_1": DocumentExcerpt("Page 1", "s", "l", 1, 2, 0, near, {"chart": 2})},
        outlines={"chk_1": ["Networks > Tarn"]},
    )
    await asked(made)
    assert (read_by(made)[0], read_by(made)[-1]) == ("chk_1", "chk_9")
    assert '<not_read title="Page 1">2 charts</not_read>' in made.planner.read[1].user
    assert "Networks > Tarn" in made.planner.read[1].user


async def test_files_and_the_list_of_documents_keep_their_places() -> None:
    """Only what the search found is changed by another one."""
    made = cast(FurtherSearch(useful=(1,), queries=(TICKS,)))
    made.planner.routing = replace(made.planner.routing, intent="docs_required")
    await asked(made)
    assert read_by(made)[-1] == "chk_2"


async def test_passages_of_features_keep_their_place() -> None:
    """A further search neither drops them nor gives them the places of documents."""

    async def seek(_request: PassageRequest) -> Sequence[FeaturePassage]:
        return [FeaturePassage("Notes", "A tick is short.")]

    made = cast(FurtherSearch(useful=(1,), queries=(TICKS,)), passages=2)
    turns = turns_with(made)
    turns = replace(turns, services=replace(turns.services, passage_seekers=[seek]))
    await run(turns, ASKED)
    assert read_by(made) == ["chk_1", "chk_10", "tool:feature-0", "chk_2"]


async def test_not_found_tells_what_was_looked_for() -> None:
    """The queries of all rounds, their markup escaped."""
    made = cast(FurtherSearch(queries=("*Tarn* ticks",)))
    made.passages = ScriptedPassages([], {})
    made.passages.by_query = {ASKED: [replace(RAVEN, score=0.9)], "*Tarn* ticks": []}
    made.chat = ScriptedChat(("The texts do not say it. [0]",))
    events = await run(turns_with(made), ASKED)
    [answered] = [one for one in events if isinstance(one, Answered)]
    assert rf"Looked for: “{ASKED} · \*Tarn\* ticks”" in answered.answer.text
