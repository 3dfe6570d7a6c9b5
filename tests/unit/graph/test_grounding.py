"""Answers that do not rest on their passages, and what becomes of them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from typing_extensions import override

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.routing.plan import Plan
from rich_agent.errors import DailyLimitError, MalformedOutputError, UpstreamUnavailableError
from rich_agent.graph.answer.verification import LONGEST_WAIT_S
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.services import Limits, TurnScope
from rich_agent.graph.state import AnswerState, TurnState
from rich_agent.phrases import say
from rich_agent.ports.models import Prompt
from rich_agent.runtime.concurrency import TurnEnd
from tests import make
from tests.scripted import ScriptedChat, ScriptedChooser

PASSAGES = [
    make.passage(1, content="The fee is 25 lamports.", title="Fees"),
    make.passage(2, id="web:1", kind="web", title="A *page*", section=""),
]


UNJUDGED = "_I could not check this answer against its sources._"
LEFT_OUT = "_Could not be checked against the sources: The CEO is Ada Quill._"
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
    return make.state("What is the fee?", **({"routing": routing, "rag": rag} | changes))


async def answered(
    *answers: str | Exception,
    plan: Plan = "rag",
    chooser: ScriptedChooser | None = None,
    **changes: Any,
) -> tuple[AnswerState, AnswersInTurn, list[str]]:
    """The answer, the model that gave it, and the texts that were shown on the way."""
    chat = AnswersInTurn(answers=list(answers))
    runtime = make.runtime(make.Fakes(chat=chat, chooser=chooser or ScriptedChooser()))
    update = await synthesize(asked(plan, **changes), runtime)
    return update["answer"], chat, [e["text"] for e in runtime.written if "text" in e]


@pytest.mark.req("TOOL-2", "RAG-4")
async def test_synthesize_asks_no_second_time_about_a_cited_answer() -> None:
    """The check costs no call of any model where the answer quotes."""
    chooser = ScriptedChooser()
    answer, chat, _ = await answered("The fee is 25 lamports [1].", chooser=chooser)
    assert (len(chat.prompts), chooser.prompts) == (1, [])
    assert answer["debug"] == {
        "doubted": 0,
        "asked": 0,
        "looked": False,
        "repaired": False,
        "refused": False,
        "unsupported": [],
        "contradicted": [],
        "unjudged": [],
        "uncomputed": [],
        "judged": 1,
        "unsampled": 0,
    }


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize("plan", ["rag", "rag+web", "web"])
async def test_synthesize_has_every_sentence_judged(plan: Plan) -> None:
    """Signs doubt none of it; what a passage denies is told as such, with that passage."""
    denied = "The fee is paid [1]. The fee is not in lamports [2]."
    chooser = ScriptedChooser(denials=["not in"])
    answer, chat, _ = await answered(denied, denied, plan=plan, chooser=chooser)
    assert answer["text"] == (
        "The fee is paid [1]. The fee is not in lamports.\n\n"
        "_The sources say otherwise: The fee is not in lamports. [1]_"
    )
    assert answer["debug"]["doubted"] == 0
    assert answer["debug"]["contradicted"] == ["The fee is not in lamports."]
    _, repair = chat.prompts[1].follow_up[-1]
    assert '<contradicted passages="1">The fee is not in lamports.</contradicted>' in repair
    assert len(chooser.prompts) == 1


@pytest.mark.req("RAG-4")
async def test_synthesize_has_the_repair_judged_too() -> None:
    """Its new sentences are asked about, those that are known are not."""
    chooser = ScriptedChooser(denials=["gold", "silver"])
    first, second = "Paid in gold [1]. It is a fee [1].", "Paid in silver [1]. It is a fee [1]."
    answer, _, _ = await answered(first, second, chooser=chooser)
    requests = [prompt.follow_up[-1][1] for prompt in chooser.prompts]
    assert "gold" in requests[0]
    assert "It is a fee" in requests[0]
    assert "It is a fee" not in requests[1]
    assert "The sources say otherwise" in answer["text"]
    better, _, _ = await answered(first, "It is paid in lamports [1].", chooser=chooser)
    assert better["text"] == "It is paid in lamports [1]."


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(("share", "calls"), [(0.0, 0), (1.0, 1)])
async def test_synthesize_judges_the_sampled_share(share: float, calls: int) -> None:
    """In the other answers, signs choose what is asked about."""
    chooser = ScriptedChooser()
    cast = make.Fakes(
        chat=AnswersInTurn(answers=["Lamports are the fee [1]."]),
        chooser=chooser,
        limits=Limits(checked_share=share),
    )
    runtime = make.runtime(cast)
    await synthesize(asked(), runtime)
    assert len(chooser.prompts) == calls
    whole = [event["whole"]["text"] for event in runtime.written if "whole" in event]
    assert whole == ["Lamports are the fee [1]."] * calls


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(("written", "doubts"), [("It costs 25 [2].", ["25"]), ("It is 25.", [])])
async def test_synthesize_shows_nothing_as_whole_that_is_doubtful(
    written: str, doubts: list[str]
) -> None:
    """The user sees it grow; its end comes once it is judged."""
    chooser = ScriptedChooser(doubts=doubts)
    chat = AnswersInTurn(answers=[f"{written} Ask Ada Quill.", "[0]"])
    runtime = make.runtime(make.Fakes(chat=chat, chooser=chooser))
    await synthesize(asked(), runtime)
    assert not [event for event in runtime.written if "whole" in event]


@pytest.mark.req("TOOL-2", "RAG-4")
@pytest.mark.parametrize("plan", ["rag", "rag+web", "web"])
async def test_synthesize_cites_for_a_model_that_does_not(plan: Plan) -> None:
    """The look names the passages, the markers follow from that; nothing is written again."""
    chooser = ScriptedChooser(named=[1, 2])
    told = "The fee is 25. It is paid in lamports."
    answer, chat, shown = await answered(told, plan=plan, chooser=chooser)
    assert answer["text"] == "The fee is 25. [1][2] It is paid in lamports. [1][2]"
    assert [c["id"] for c in answer["citations"]] == ["chk_1", "web:1"]
    assert (len(chat.prompts), len(chooser.prompts)) == (1, 1)
    assert (answer["debug"]["looked"], answer["debug"]["repaired"]) == (True, False)
    assert shown[-1].strip() == told


@pytest.mark.req("TOOL-2", "RAG-4")
async def test_synthesize_shows_the_look_what_the_user_said() -> None:
    """A fact that stands in the conversation or the memory needs no passage."""
    chooser = ScriptedChooser(unclaiming=["Oslo"])
    memory = {"long_term_entries": ["Lives in Oslo"], "preferences": ["Keep it short"]}
    messages = [HumanMessage("I love snow", id="r0:user"), AIMessage("Fine.", id="r0:assistant")]
    answer, _, _ = await answered(
        "You live in Oslo.", chooser=chooser, memory=memory, messages=messages
    )
    (look,) = chooser.prompts
    assert look.history == (("user", "I love snow"), ("assistant", "Fine."))
    assert {"- Keep it short", "- Lives in Oslo"} <= set("\n".join(look.texts()).splitlines())
    assert answer["text"] == "You live in Oslo."


@pytest.mark.req("TOOL-2", "RAG-4")
async def test_synthesize_marks_what_is_supported_and_names_the_rest() -> None:
    """A mixed answer keeps its markers also where the repair writes none."""
    mixed = "Sure! The fee is 25. The CEO is Ada Quill."
    chooser = ScriptedChooser(doubts=["Ada"], unclaiming=["Sure"])
    answer, _, _ = await answered(mixed, mixed, chooser=chooser)
    assert answer["text"] == (
        "Sure! The fee is 25. [1] The CEO is Ada Quill.\n\n"
        "_Not in the sources, please check: The CEO is Ada Quill._"
    )
    better, _, _ = await answered(mixed, "The fee is 25.", chooser=chooser)
    assert better["text"] == "The fee is 25. [1]"
    assert better["debug"]["repaired"]


@pytest.mark.req("TOOL-2", "RAG-4")
@pytest.mark.parametrize("plan", ["rag", "rag+web", "web"])
@pytest.mark.parametrize("second", ["The fee is 25.", UpstreamUnavailableError("model", "503")])
@pytest.mark.parametrize("failure", [None, UpstreamUnavailableError("model", "503")])
async def test_synthesize_shows_what_nobody_could_check(
    plan: Plan, second: str | Exception, failure: Exception | None
) -> None:
    """The look fails, or names no passage that there is: the answer, and what was read for it."""
    chooser = ScriptedChooser(failure=failure, named=[9])
    answer, _, _ = await answered("The fee is 25.", second, plan=plan, chooser=chooser)
    assert answer["text"] == (
        "The fee is 25.\n\n_I could not check this against the sources. I read: [1][2]_"
    )
    assert len(answer["citations"]) == 2
    assert not answer["debug"]["refused"]


@pytest.mark.req("TOOL-2", "RAG-4")
async def test_synthesize_takes_the_markers_of_a_repair_where_the_look_fails() -> None:
    """One more call, which sees the draft and the passages; the user sees one answer replaced."""
    chooser = ScriptedChooser(failure=FAILURES[0])
    answer, chat, _ = await answered("The fee is 25.", "The fee is 25 [1].", chooser=chooser)
    assert answer["text"] == f"The fee is 25 [1].\n\n{UNJUDGED}"
    assert [c["id"] for c in answer["citations"]] == ["chk_1"]
    assert answer["debug"]["repaired"]
    assert ("assistant", "The fee is 25.") in chat.prompts[1].follow_up
    assert "The fee is 25 lamports." in "".join(chat.prompts[1].texts())


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize("plan", ["rag", "rag+web"])
@pytest.mark.parametrize("second", ["The fee is 99.", "[0]", *FAILURES])
async def test_synthesize_refuses_what_no_passage_supports(
    plan: Plan, second: str | Exception
) -> None:
    """After the repair still nothing, or no repair: an honest word, and what was looked at."""
    chooser = ScriptedChooser(doubts=["99"])
    answer, chat, _ = await answered("The fee is 99.", second, plan=plan, chooser=chooser)
    assert len(chat.prompts) == 2
    assert "in my documents" in answer["text"]
    assert "99" not in answer["text"]
    assert "- Fees › Top\n- A \\*page\\*" in answer["text"]
    assert answer["citations"] == []
    assert answer["debug"]["refused"]


@pytest.mark.req("TOOL-2")
async def test_synthesize_marks_an_unsupported_answer_from_the_web() -> None:
    """Nobody promised registered documents: it is shown, and said to be unsupported."""
    chooser = ScriptedChooser(doubts=["rains"])
    answer, _, _ = await answered("It rains.", "It rains.", plan="web", chooser=chooser)
    assert answer["text"] == (
        "It rains.\n\n_Not in the sources, please check: It rains._\n\n"
        "_No web result supports this._"
    )


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize("plan", ["rag", "rag+web", "web"])
@pytest.mark.parametrize("said", ["I am your bot.", "Ich merke mir das.", "わかりました。"])
async def test_synthesize_says_nothing_of_sources_where_nothing_needs_one(
    plan: Plan, said: str
) -> None:
    """A slip of the planner leaves no contradiction below a fine answer."""
    chooser = ScriptedChooser(unclaiming=[said])
    answer, chat, _ = await answered(said, plan=plan, chooser=chooser)
    assert (answer["text"], answer["citations"], len(chat.prompts)) == (said, [], 1)
    assert not answer["debug"]["refused"]


@pytest.mark.req("TOOL-2", "MEM-6")
@pytest.mark.parametrize(("said", "lacks"), [("You asked of fees.", False), ("No idea. [0]", True)])
async def test_synthesize_says_nothing_of_sources_below_the_past(said: str, *, lacks: bool) -> None:
    """An answer from the archive needs no document, unless it says that it lacks one."""
    past = {"past_turns": [{"date": "2026-05-01", "question": "Fees?", "answer": "25."}]}
    answer, _, _ = await answered(said, memory=past)
    assert ("in my documents" in answer["text"]) is lacks


@pytest.mark.req("TOOL-2")
async def test_synthesize_takes_no_for_an_answer() -> None:
    """A model that says that nothing is there is not asked again."""
    answer, chat, _ = await answered("The passages do not say it. [0]")
    assert len(chat.prompts) == 1
    assert answer["text"].startswith("The passages do not say it.\n\n_Nothing found in my doc")
    assert "[0]" not in answer["text"]


async def test_synthesize_does_not_tell_who_forwards_that_nothing_was_found() -> None:
    """Nobody asked for anything: the answer says what the text claims, and that is all."""
    message = {"text": "", "forwarded": {"author": "Eve", "text": "The harbour is closed."}}
    answer, _, _ = await answered("It says that the harbour is closed. [0]", input=message)
    assert answer["text"] == "It says that the harbour is closed."


@pytest.mark.parametrize("plan", ["rag", "rag+web", "web"])
@pytest.mark.parametrize(
    "routing", [{"acts": True}, {"intent": "smalltalk_or_short"}], ids=["request", "small talk"]
)
async def test_synthesize_does_not_tell_who_asks_nothing_that_nothing_was_found(
    plan: Plan, routing: dict[str, Any]
) -> None:
    """A wish or a thanks that was planned as a question gets its answer and no word of sources."""
    state = asked(plan)["routing"] | routing
    answer, _, _ = await answered("I have no list of that name. [0]", plan=plan, routing=state)
    assert answer["text"] == "I have no list of that name."


@pytest.mark.req("TOOL-2")
async def test_synthesize_believes_a_second_look_that_nothing_was_found() -> None:
    """In any language, without the marker; nothing is written again."""
    chooser = ScriptedChooser(finds_nothing=True)
    answer, chat, _ = await answered("Dazu steht nichts in den Texten.", chooser=chooser)
    assert len(chat.prompts) == len(chooser.prompts) == 1
    assert answer["text"].startswith("Dazu steht nichts in den Texten.\n\n_Nothing found in my doc")
    assert not answer["debug"]["refused"]


CEO = "The fee is 25 lamports [1]. The CEO is Ada Quill."
TWO = "The fee is 25 lamports [1]. It was 38 before [1]."


@pytest.mark.req("TOOL-2", "RAG-4")
async def test_synthesize_names_a_few_of_many_sentences_without_grounds() -> None:
    """The answer is not written a second time below itself."""
    long = "The fee is 25. " + " ".join(f"Guest {number} is Ada Quill." for number in range(9))
    answer, _, _ = await answered(long, long, chooser=ScriptedChooser(doubts=["Ada"]))
    named = " · ".join(f"Guest {number} is Ada Quill." for number in range(5))
    told = f"_Not in the sources, please check: {named} · … and 4 more_"
    assert answer["text"].endswith(f"Guest 8 is Ada Quill.\n\n{told}")


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(("first", "claim"), [(CEO, "Ada Quill"), (TWO, "38")])
async def test_synthesize_repairs_an_invented_claim(first: str, claim: str) -> None:
    """The second look reads the doubtful sentence alone; the repair is told which one it is."""
    chooser = ScriptedChooser(doubts=[claim])
    answer, chat, _ = await answered(first, "The fee is 25 lamports [1].", chooser=chooser)
    (look,) = chooser.prompts
    sentences = look.follow_up[-1][1].partition("The sentences:")[2]
    assert claim in sentences
    assert "25" not in sentences
    assert "The fee is 25 lamports." in "".join(look.texts())
    assert claim in chat.prompts[1].follow_up[-1][1]
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
    assert not any("Ada" in prompt.follow_up[-1][1] for prompt in chooser.prompts[1:])


@pytest.mark.req("RAG-4", "TOOL-2")
async def test_synthesize_refuses_an_answer_of_which_nothing_is_supported() -> None:
    """A marker behind an invention is no verify: two models say so."""
    chooser = ScriptedChooser(doubts=["Ada"])
    answer, _, _ = await answered("The CEO is Ada Quill [1].", "[0]", chooser=chooser)
    assert "Ada" not in answer["text"]
    assert answer["debug"]["refused"]


FAILING = [*FAILURES, MalformedOutputError("model", "prose"), TimeoutError()]


@pytest.mark.req("RAG-4", "ACT-5")
@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("failure", FAILING)
async def test_synthesize_says_that_the_judge_failed(failure: Exception, share: float) -> None:
    """The answer stays, with a line below it; a doubt alone changes nothing else."""
    chooser, chat = ScriptedChooser(failure=failure), AnswersInTurn(answers=[CEO])
    limits = Limits(checked_share=share)
    update = await synthesize(
        asked(), make.runtime(make.Fakes(chat=chat, chooser=chooser, limits=limits))
    )
    answer = update["answer"]
    assert answer["text"] == f"{CEO}\n\n{LEFT_OUT}"
    assert (len(chat.prompts), len(chooser.prompts)) == (1, 1)
    assert (answer["debug"]["doubted"], answer["debug"]["looked"]) == (1, False)
    assert answer["debug"]["unjudged"] == ["The CEO is Ada Quill."]


@pytest.mark.req("ACT-5")
@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
async def test_synthesize_says_that_no_sentence_was_judged(locale: str) -> None:
    """A judge that says nothing is asked once more, and has judged nothing."""
    chooser = ScriptedChooser(omissions=[""])
    user = {"telegram_user_id": 42, "locale": locale}
    answer, chat, _ = await answered("Lamports are the fee [1].", chooser=chooser, user=user)
    assert answer["text"] == f"Lamports are the fee [1].\n\n_{say(locale, 'unjudged')}_"
    assert (len(chat.prompts), len(chooser.prompts)) == (1, 2)
    assert not answer["debug"]["looked"]


@pytest.mark.req("ACT-5")
@pytest.mark.parametrize(("times", "note"), [(1, ""), (2, f"\n\n{LEFT_OUT}")])
async def test_synthesize_asks_again_about_what_the_judge_left_out(times: int, note: str) -> None:
    """Once, about that alone; what it leaves out then, too, is named below."""
    chooser = ScriptedChooser(omissions=["Ada"], omission_times=times)
    said = "Lamports are the fee [1]. The CEO is Ada Quill [1]."
    answer, _, _ = await answered(said, chooser=chooser)
    assert answer["text"] == f"{said}{note}"
    _, again = chooser.prompts[1].follow_up[-1]
    assert len(chooser.prompts) == 2
    assert ("Ada" in again, "Lamports" in again) == (True, False)
    assert answer["debug"]["judged"] == 3 - times


@pytest.mark.req("ACT-5")
async def test_synthesize_says_nothing_of_what_was_not_sampled() -> None:
    """Only the record has it: nobody was asked about a sentence without a doubt."""
    chat = AnswersInTurn(answers=["Lamports are the fee [1]."])
    limits = Limits(checked_share=0.0)
    update = await synthesize(asked(), make.runtime(make.Fakes(chat=chat, limits=limits)))
    answer = update["answer"]
    assert answer["text"] == "Lamports are the fee [1]."
    assert [answer["debug"][state] for state in ("judged", "unsampled")] == [0, 1]
    assert answer["debug"]["unjudged"] == []


@pytest.mark.req("RAG-4", "ACT-5")
async def test_synthesize_asks_nobody_who_waited_long() -> None:
    """A slow turn ends with the answer as it is, and says that it was not judged."""
    chooser = ScriptedChooser(doubts=["Ada"])
    waited = {"N5_retrieve": 1_000 * LONGEST_WAIT_S + 1}
    answer, _, _ = await answered(CEO, chooser=chooser, latency_ms=waited)
    assert (answer["text"], chooser.prompts) == (f"{CEO}\n\n{LEFT_OUT}", [])


@pytest.mark.req("RAG-4")
async def test_synthesize_asks_no_server_that_cannot_judge_in_time() -> None:
    """The answer says that it was not judged, and the record says why."""
    chooser = ScriptedChooser(doubts=["Ada"])
    cast = make.Fakes(chat=AnswersInTurn(answers=[CEO]), chooser=chooser)
    cast.optional_calls = make.slow_server()
    runtime = make.runtime(cast)
    update = await synthesize(asked(), runtime)
    assert (update["answer"]["text"], chooser.prompts) == (f"{CEO}\n\n{LEFT_OUT}", [])
    assert runtime.context.run.notes.counts["check_left_out"] == 1


@pytest.mark.req("RAG-4")
async def test_synthesize_lets_the_users_own_numbers_be_repeated() -> None:
    """Numbers of the question or the conversation need no passage."""
    state = asked()
    state["input"]["text"] = "What do 4711 transactions cost?"
    chat = AnswersInTurn(answers=["For 4711 transactions: 25 lamports each [1]."])
    await synthesize(state, make.runtime(make.Fakes(chat=chat)))
    assert len(chat.prompts) == 1


@pytest.mark.req("TOOL-2", "VIS-3")
async def test_synthesize_cites_the_photo() -> None:
    """An answer that rests on what the image shows says so, in the list of its sources."""
    vision = {"summary": {"summary": "A receipt over 25 lamports.", "entities": []}}
    answer, chat, _ = await answered("You paid 25 [3], the fee [1].", vision=vision)
    assert "about the image has the number [3]" in chat.prompts[0].user
    cited = [(c["number"], c["id"], c["title"]) for c in answer["citations"]]
    assert cited == [(1, "photo", "Your photo"), (2, "chk_1", "Fees")]


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
@pytest.mark.parametrize("plan", ["rag", "rag+web"])
async def test_synthesize_refuses_in_the_users_language(locale: str, plan: Plan) -> None:
    """Every phrase is there."""
    user = {"telegram_user_id": 42, "locale": locale}
    chooser = ScriptedChooser(doubts=["so"])
    answer, _, _ = await answered("It is so.", "It is so.", plan=plan, user=user, chooser=chooser)
    assert ("見つかりません" in answer["text"]) == (locale == "ja")


async def test_synthesize_stopped_while_it_repairs_keeps_the_draft() -> None:
    """A user who presses stop wants no more waiting, and no other answer."""

    @dataclass(slots=True)
    class Hanging(AnswersInTurn):
        stop: TurnEnd = field(default_factory=TurnEnd)

        @override
        async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
            self.prompts.append(prompt)
            yield "The fee is 25."
            if len(self.prompts) > 1:
                self.stop.asked.set()
                await asyncio.Event().wait()

    stop = TurnEnd()
    chat = Hanging(stop=stop)
    runtime = make.runtime(make.Fakes(chat=chat, chooser=ScriptedChooser(doubts=["25"])))
    runtime.context = replace(runtime.context, turn=TurnScope(stop))
    update = await synthesize(asked(), runtime)
    assert update["answer"]["text"] == "The fee is 25.\n\n_(stopped)_"
