"""Marks of answers: by their wording, and by a judge where that leaves something open."""

from dataclasses import dataclass, field, replace

import pytest

from rich_agent.domain.usage_limits import Price, Prices
from rich_agent.errors import UpstreamError
from rich_agent.feature.shell import Form
from rich_agent.features.evaluation.evaluator import AnswerOpinion, Evaluator
from rich_agent.features.evaluation.marks import AnswerMarks
from rich_agent.features.evaluation.questions import ExpectedAnswer
from rich_agent.ports.models import Prompt
from rich_agent.turns.rehearsal import NO_USER, Rehearsal
from tests import make
from tests.scripted import ScriptedChat
from tests.turns_in_memory import cast_for


@dataclass(slots=True)
class ScriptedJudge:
    """Has one opinion of every answer."""

    opinion: AnswerOpinion = field(default_factory=AnswerOpinion)
    prompts: list[Prompt] = field(default_factory=list)

    async def fill(self, prompt: Prompt, form: type[Form]) -> Form:
        """See `FormModel.fill`."""
        assert isinstance(self.opinion, form)
        self.prompts.append(prompt)
        return self.opinion


async def marks_of(
    cast: make.Fakes, question: ExpectedAnswer, judge: ScriptedJudge, prices: Prices | None = None
) -> AnswerMarks:
    """The marks of one answer."""
    seen: list[AnswerMarks] = []
    evaluator = Evaluator(Rehearsal(cast.services(), prices or Prices()), judge)
    (marks,) = await evaluator.ask_all([question], seen.append)
    assert seen == [marks]
    return marks


def asked(*facts: str, refuse: bool = False) -> ExpectedAnswer:
    """A question on staking."""
    return ExpectedAnswer("What is staking?", tuple((one,) for one in facts), refuse=refuse)


async def test_evaluator_asks_no_judge_where_the_wording_decides() -> None:
    """All facts stand in the answer; it is asked by nobody, and nothing is kept."""
    cast, judge = cast_for("rag"), ScriptedJudge()
    cast.chat = ScriptedChat(("Staking locks 5,000 coins [1].",))
    marks = await marks_of(cast, asked("5000 coins"), judge)
    assert marks.facts == {"5000 coins": True}
    assert (judge.prompts, marks.judged, marks.is_right) == ([], 0, True)
    assert cast.transcript.turns == {}
    assert set(cast.memories.kept) <= {NO_USER}


async def test_evaluator_has_the_open_facts_judged_in_one_call() -> None:
    """By their number among the open ones; the answer is given without the facts that it has."""
    cast, judge = cast_for("rag"), ScriptedJudge(AnswerOpinion(stated=[2], refuses=True))
    cast.chat = ScriptedChat(("Staking locks coins [1].",))
    marks = await marks_of(cast, asked("coins", "five years", "they are blocked"), judge)
    assert marks.facts == {"coins": True, "five years": False, "they are blocked": True}
    assert marks.refuses is None
    assert marks.misses == ["“five years”"]
    (prompt,) = judge.prompts
    assert "five years" in prompt.system
    assert ">coins<" not in prompt.system
    assert "Staking locks coins" in prompt.user


@pytest.mark.parametrize("refuses", [True, False])
async def test_evaluator_has_a_refusal_judged(refuses: bool) -> None:  # noqa: FBT001 - parametrized
    """The answer cites, and may still say that there is none."""
    cast, judge = cast_for("rag"), ScriptedJudge(AnswerOpinion(refuses=refuses))
    marks = await marks_of(cast, asked(refuse=True), judge)
    assert (marks.refuses, len(judge.prompts)) == (refuses, 1)


async def test_evaluator_knows_a_refusal_of_the_product() -> None:
    """An answer that marks itself as not found needs no judge."""
    cast, judge = cast_for("rag"), ScriptedJudge()
    cast.chat = ScriptedChat(("The documents do not say. [0]",))
    marks = await marks_of(cast, asked(refuse=True), judge)
    assert (marks.refuses, judge.prompts) == (True, [])


async def test_evaluator_compares_what_is_cited() -> None:
    """By a part of the address, the title or the section, in any case."""
    cast = cast_for("rag")
    cast.chat = ScriptedChat(("Staking locks coins [1].",))
    question = replace(asked("coins"), sources=("nowhere",))
    assert (await marks_of(cast, question, ScriptedJudge())).cites is False
    cast.chat = ScriptedChat(("Staking locks coins [1].",))
    title = make.passage().title.upper()
    assert (await marks_of(cast, replace(question, sources=(title,)), ScriptedJudge())).cites


async def test_evaluator_counts_a_question_that_fails() -> None:
    """Nothing of it is as expected, and the reason is kept."""

    @dataclass(slots=True)
    class Away:
        async def fill(self, prompt: Prompt, form: type[Form]) -> Form:
            raise UpstreamError("model", f"is away ({form.__name__}, {len(prompt.user) > 0})")

    cast = cast_for("rag")
    evaluator = Evaluator(Rehearsal(cast.services(), Prices()), Away())
    (marks,) = await evaluator.ask_all([asked("unheard of")], lambda _: None)
    assert "is away" in marks.failure
    assert not marks.is_right


async def test_evaluator_knows_the_cost_only_with_all_prices() -> None:
    """A sum that leaves out a model would be no cost."""
    cast = cast_for("rag")
    free = Price.parse("0")
    marks = await marks_of(cast, asked("x"), ScriptedJudge(), Prices({"other": free}))
    assert marks.cost_usd is None
