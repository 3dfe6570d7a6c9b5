"""What becomes of an answer that does not rest on its passages."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from typing_extensions import override

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.routing.plan import Plan
from rich_agent.errors import DailyLimitError, MalformedOutputError, UpstreamUnavailableError
from rich_agent.graph.answer.verification import LONGEST_WAIT_S
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.state import AnswerState, TurnState
from rich_agent.ports.models import Prompt
from tests import make
from tests.scripted import ScriptedChat, ScriptedChooser

PASSAGES = [
    make.passage(1, content="The fee is 25 lamports.", title="Fees"),
    make.passage(2, id="web:1", kind="web", title="A *page*", section=""),
]


FAILURES = (
    UpstreamUnavailableError("model", "503"),
    DailyLimitError("tokens", 1_000, make.NOW, 60.0),
)


@dataclass(slots=True)
class AnswersInTurn(ScriptedChat):
    """Gives the next of `answers` to each call; an exception is raised."""

    answers: list[str | Exception] = field(default_factory=list)

    @override
    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """See `ChatModel`."""
        self.prompts.append(prompt)
        answer = self.answers[len(self.prompts) - 1]
        if isinstance(answer, Exception):
            raise answer
        for word in answer.split(" "):
            yield f"{word} "


def asked(plan: Plan = "rag", **changes: Any) -> TurnState:
    """A turn for which two passages were found."""
    routing = {"intent": "general_question", "plan": plan, "reason": "r"}
    rag = {"query": "fee", "retrieved_chunks": [passage.to_state() for passage in PASSAGES]}
    return make.state("What is the fee?", routing=routing, rag=rag, **changes)


async def answered(
    *answers: str | Exception,
    plan: Plan = "rag",
    chooser: ScriptedChooser | None = None,
    **changes: Any,
) -> tuple[AnswerState, AnswersInTurn, list[str]]:
    """The answer, the model that gave it, and the texts that were shown on the way."""
    chat = AnswersInTurn(answers=list(answers))
    runtime = make.runtime(make.Cast(chat=chat, chooser=chooser or ScriptedChooser()))
    update = await synthesize(asked(plan, **changes), runtime)
    return update["answer"], chat, [e["text"] for e in runtime.written if "text" in e]


@pytest.mark.req("TOOL-2", "RAG-4")
async def test_synthesize_asks_no_second_time_about_a_cited_answer() -> None:
    """The check costs no call of any model where nothing is missing."""
    chooser = ScriptedChooser()
    answer, chat, _ = await answered("The fee is 25 lamports [1].", chooser=chooser)
    assert (len(chat.prompts), chooser.prompts) == (1, [])
    assert answer["debug"] == {
        "doubted": 0,
        "looked": False,
        "repaired": False,
        "refused": False,
        "unsupported": [],
    }


@pytest.mark.req("TOOL-2", "RAG-4")
async def test_synthesize_repairs_an_answer_that_forgot_to_cite() -> None:
    """One more call, which sees the draft and the passages; the user sees one answer replaced."""
    answer, chat, shown = await answered("The fee is 25.", "The fee is 25 lamports [1].")
    assert answer["text"] == "The fee is 25 lamports [1]."
    assert [c["id"] for c in answer["citations"]] == ["chk_1"]
    assert answer["debug"]["repaired"]
    assert len(chat.prompts) == 2
    assert "<answer>The fee is 25. </answer>" in chat.prompts[1].user
    assert "The fee is 25 lamports." in chat.prompts[1].system
    assert [text.strip() for text in shown][-1] == "The fee is 25."


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize("plan", ["rag", "rag+web"])
@pytest.mark.parametrize("second", ["The fee is 99.", "[0]", *FAILURES])
async def test_synthesize_refuses_what_no_passage_supports(
    plan: Plan, second: str | Exception
) -> None:
    """After the repair still nothing, or no repair: an honest word, and what was looked at."""
    answer, chat, _ = await answered("The fee is 99.", second, plan=plan)
    assert len(chat.prompts) == 2
    assert "Nothing found in the registered sources" in answer["text"]
    assert "99" not in answer["text"]
    assert "- Fees › Top\n- A \\*page\\*" in answer["text"]
    assert answer["citations"] == []
    assert answer["debug"]["refused"]


@pytest.mark.req("TOOL-2")
async def test_synthesize_marks_an_uncited_answer_from_the_web() -> None:
    """Nobody promised registered documents: it is shown, and said to be unsupported."""
    answer, _, _ = await answered("It rains.", "It rains.", plan="web")
    assert answer["text"] == "It rains.\n\n_No web result supports this._"


@pytest.mark.req("TOOL-2")
async def test_synthesize_takes_no_for_an_answer() -> None:
    """A model that says that nothing is there is not asked again."""
    answer, chat, _ = await answered("The passages do not say it. [0]")
    assert len(chat.prompts) == 1
    assert answer["text"].startswith("The passages do not say it.\n\n_Nothing found in the regist")
    assert "[0]" not in answer["text"]


@pytest.mark.req("TOOL-2")
async def test_synthesize_believes_a_second_look_that_nothing_was_found() -> None:
    """In any language, without the marker; nothing is written again."""
    chooser = ScriptedChooser(finds_nothing=True)
    answer, chat, _ = await answered("Dazu steht nichts in den Texten.", chooser=chooser)
    assert len(chat.prompts) == len(chooser.prompts) == 1
    assert answer["text"].startswith(
        "Dazu steht nichts in den Texten.\n\n_Nothing found in the reg"
    )
    assert not answer["debug"]["refused"]


CEO = "The fee is 25 lamports [1]. The CEO is Ada Quill."
TWO = "The fee is 25 lamports [1]. It was 38 before [1]."


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(("first", "claim"), [(CEO, "Ada Quill"), (TWO, "38")])
async def test_synthesize_repairs_an_invented_claim(first: str, claim: str) -> None:
    """The second look reads the doubtful sentence alone; the repair is told which one it is."""
    chooser = ScriptedChooser(doubts=[claim])
    answer, chat, _ = await answered(first, "The fee is 25 lamports [1].", chooser=chooser)
    (look,) = chooser.prompts
    assert claim in look.user
    assert "25" not in look.user
    assert "The fee is 25 lamports." in look.system
    assert claim in chat.prompts[1].system
    assert answer["text"] == "The fee is 25 lamports [1]."
    assert answer["debug"]["repaired"]


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "second", [CEO, "The CEO is Ada Quill [1]. The fee is 25 [1].", "[0]", *FAILURES]
)
async def test_synthesize_names_a_claim_that_stays_invented(second: str | Exception) -> None:
    """A cited answer is not given up; the reader is told what to check."""
    chooser = ScriptedChooser(doubts=["Ada"])
    answer, _, _ = await answered(CEO, second, chooser=chooser)
    assert answer["text"] == (f"{CEO}\n\n_Not in the sources, please check: The CEO is Ada Quill._")
    assert answer["debug"]["unsupported"] == ["The CEO is Ada Quill."]
    assert len(chooser.prompts) == 1


@pytest.mark.req("RAG-4", "TOOL-2")
async def test_synthesize_refuses_an_answer_of_which_nothing_is_supported() -> None:
    """A marker behind an invention is no verify: two models say so."""
    chooser = ScriptedChooser(doubts=["Ada"])
    answer, _, _ = await answered("The CEO is Ada Quill [1].", "[0]", chooser=chooser)
    assert "Ada" not in answer["text"]
    assert answer["debug"]["refused"]


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize("failure", [*FAILURES, MalformedOutputError("model", "prose")])
async def test_synthesize_leaves_an_answer_whose_second_look_fails(failure: Exception) -> None:
    """A doubt alone changes nothing; it is in the record."""
    chooser = ScriptedChooser(failure=failure)
    answer, chat, _ = await answered(CEO, chooser=chooser)
    assert len(chat.prompts) == 1
    assert answer["text"] == CEO
    assert answer["debug"]["doubted"] == 1
    assert not answer["debug"]["looked"]


@pytest.mark.req("RAG-4")
async def test_synthesize_asks_nobody_who_waited_long() -> None:
    """A slow turn ends with the answer as it is."""
    chooser = ScriptedChooser(doubts=["Ada"])
    waited = {"N5_retrieve": 1_000 * LONGEST_WAIT_S + 1}
    answer, _, _ = await answered(CEO, chooser=chooser, latency_ms=waited)
    assert (answer["text"], chooser.prompts) == (CEO, [])


@pytest.mark.req("RAG-4")
async def test_synthesize_lets_the_users_own_numbers_be_repeated() -> None:
    """What stands in the question or the conversation needs no passage."""
    state = asked()
    state["input"]["text"] = "What do 4711 transactions cost?"
    chat = AnswersInTurn(answers=["For 4711 transactions: 25 lamports each [1]."])
    await synthesize(state, make.runtime(make.Cast(chat=chat)))
    assert len(chat.prompts) == 1


@pytest.mark.req("TOOL-2", "VIS-3")
async def test_synthesize_cites_the_photo() -> None:
    """An answer that rests on what the image shows says so, in the list of its sources."""
    vision = {"summary": {"summary": "A receipt over 25 lamports.", "entities": []}}
    answer, chat, _ = await answered("You paid 25 [3], the fee [1].", vision=vision)
    assert '<image_summary n="3">' in chat.prompts[0].system
    cited = [(c["number"], c["id"], c["title"]) for c in answer["citations"]]
    assert cited == [(1, "photo", "Your photo"), (2, "chk_1", "Fees")]


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
@pytest.mark.parametrize("plan", ["rag", "rag+web"])
async def test_synthesize_refuses_in_the_users_language(locale: str, plan: Plan) -> None:
    """Every phrase is there."""
    user = {"telegram_user_id": 42, "locale": locale}
    answer, _, _ = await answered("It is so.", "It is so.", plan=plan, user=user)
    assert ("見つかりません" in answer["text"]) == (locale == "ja")


async def test_synthesize_stopped_while_it_repairs_keeps_the_draft() -> None:
    """Who presses stop wants no more waiting, and no other answer."""

    @dataclass(slots=True)
    class Hanging(AnswersInTurn):
        stop: asyncio.Event = field(default_factory=asyncio.Event)

        @override
        async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
            self.prompts.append(prompt)
            yield "The fee is 25."
            if len(self.prompts) > 1:
                self.stop.set()
                await asyncio.Event().wait()

    stop = asyncio.Event()
    chat = Hanging(stop=stop)
    runtime = make.runtime(make.Cast(chat=chat))
    runtime.context = replace(runtime.context, stop=stop)
    update = await synthesize(asked(), runtime)
    assert update["answer"]["text"] == "The fee is 25.\n\n_(stopped)_"
