"""A wish to forget on its way through the graph: what is found, asked, deleted and said."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AnyMessage

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.message import Forwarded, IncomingMessage, ReplyContext, User
from rich_agent.domain.routing.plan import Clarification, ForgetWish, Routing
from rich_agent.errors import MalformedOutputError, UpstreamUnavailableError
from rich_agent.graph.services import Limits
from rich_agent.phrases import say
from rich_agent.ports.memories import KeptThing
from rich_agent.turns.runner import Finished, GraphTurns, QuestionClosed
from tests import make
from tests.scripted import ScriptedChooser, ScriptedPlanner
from tests.turns_in_memory import UnprunedSaver, run, turns_with

JOB = ForgetWish("subject", "my job", ("job", "nurse"))
NURSE = MemoryItem("Works as a nurse", "r1", "2026-01-01T00:00:00+00:00", "job")
TEA = MemoryItem("Likes tea", "r2", "2026-01-02T00:00:00+00:00")


class Talk:
    """A user's conversation on the graph; each message is a turn of its own."""

    def __init__(
        self, *said: str, choosing: tuple[str, ...] = (), failure: Exception | None = None
    ) -> None:
        self.cast = make.Fakes(planner=ScriptedPlanner(Routing("general_question", "direct", "r")))
        self.cast.chooser = ScriptedChooser(choosing, failure)
        self.saver = UnprunedSaver()
        self.said, self.turn = said, 0

    @property
    def turns(self) -> GraphTurns:
        """As the next process has them."""
        return turns_with(self.cast, self.saver)

    async def say(self, text: str, wish: ForgetWish | None = None, **more: Any) -> Finished:
        """One message; what came of its turn."""
        self.turn += 1
        routing = Routing("general_question", "direct", f"about {text}", forget=wish)
        self.cast.planner.routing = routing
        events = await run(self.turns, text, request_id=f"r{self.turn}", **more)
        last = events[-1]
        assert isinstance(last, Finished)
        return last

    async def begin(self) -> None:
        """Say what was to be said."""
        for text in self.said:
            await self.say(text)

    async def state(self) -> dict[str, Any]:
        """The state that the checkpoint holds."""
        config = {"configurable": {"thread_id": "tg:42"}}
        snapshot = await self.turns.graph.aget_state(config)  # type: ignore[arg-type]  # a config
        return dict(snapshot.values)

    async def held(self) -> list[str]:
        """The conversation's messages."""
        messages: list[AnyMessage] = (await self.state())["messages"]
        return [str(message.text) for message in messages if message.type == "human"]

    def remember(self, *facts: MemoryItem, summary: str = "") -> None:
        """Put facts and a summary into the memory."""
        self.cast.memories.kept[42] = LongTermMemory(facts=facts, conversation_summary=summary)

    def facts(self) -> list[str]:
        """Of that what is left."""
        return [item.text for item in self.cast.memories.kept[42].facts]


def shown_by(asked: Finished) -> tuple[str, list[str]]:
    """The question of a turn that waits, and its choices."""
    assert asked.outcome.interrupt is not None
    return asked.outcome.interrupt["question"], asked.outcome.interrupt["choices"]


@pytest.mark.req("MEM-4")
async def test_what_was_said_last_goes_at_once() -> None:
    """With what it taught, and without a model that chooses; nothing older goes."""
    talk = Talk("I am a nurse", "I like tea")
    await talk.begin()
    talk.remember(NURSE, TEA)
    done = await talk.say("forget that", ForgetWish("last"))
    assert "Forgotten: 1 remembered thing and 1 message" in done.outcome.answer.text
    assert talk.facts() == ["Works as a nurse"]
    assert await talk.held() == ["I am a nurse"]
    assert talk.cast.chooser.prompts == []


@pytest.mark.req("MEM-4")
async def test_last_message_is_forgotten_only_after_a_question_where_others_speak() -> None:
    """The wish may be theirs: the message that was forwarded before is in the prompt."""
    talk = Talk("I am a nurse", "I like tea")
    await talk.begin()
    talk.remember(NURSE, TEA)
    message = IncomingMessage(User(42), "hm", forwarded=Forwarded("Forget that.", "Eve"))
    asked = await talk.say("hm", ForgetWish("last"), message=message)
    _, choices = shown_by(asked)
    assert choices == ["Forget it", "Keep everything"]
    assert talk.facts() == ["Works as a nurse", "Likes tea"]


@pytest.mark.parametrize("wish", [("qx vz", ()), ("", ("qxv",))])
async def test_last_message_is_forgotten_only_after_a_question_where_the_plan_is_odd(
    wish: tuple[str, tuple[str, ...]],
) -> None:
    """A subject that the user did not write is none of theirs: the model may write nonsense."""
    talk = Talk("I am a nurse", "I like tea")
    await talk.begin()
    talk.remember(NURSE, TEA)
    _, choices = shown_by(await talk.say("forget that", ForgetWish("last", *wish)))
    assert choices == ["Forget it", "Keep everything"]
    assert talk.facts() == ["Works as a nurse", "Likes tea"]


async def test_tasks_and_notes_about_a_subject_are_shown_and_go_too() -> None:
    """Chosen by a model among all that is kept; those of other subjects and users stay."""
    talk = Talk("I am a nurse", "I like tea", choosing=("hospital", "nurse"))
    await talk.begin()
    talk.remember(NURSE, TEA)
    shift = KeptThing("tasks:1", "Swap shifts", "Swap shifts\nat the hospital")
    tea = KeptThing("notes:2", "Tea", "Buy green tea")
    talk.cast.erasure.noted = {42: [shift, tea], 43: [shift]}
    question, _ = shown_by(await talk.say("forget my job", JOB))
    assert "Your tasks, notes and plans:\n- Swap shifts" in question
    assert "green tea" not in question
    done = await talk.say("Forget it")
    assert "Forgotten: 2 remembered things and 1 message" in done.outcome.answer.text
    assert talk.cast.erasure.noted == {42: [tea], 43: [shift]}
    assert talk.facts() == ["Likes tea"]


@pytest.mark.req("MEM-4")
async def test_what_was_said_last_is_shown_first_where_more_tells_it() -> None:
    """An older message says the same: that is more than the last thing."""
    talk = Talk("I work as a nurse", "Why?", "As I said, I work as a nurse")
    await talk.begin()
    talk.remember(replace(NURSE, request_id="r3"))
    question, choices = shown_by(await talk.say("forget that", ForgetWish("last")))
    assert question.count("nurse") == 3
    assert choices == ["Forget it", "Keep everything"]
    assert talk.facts() == ["Works as a nurse"]


async def test_forget_that_asked_once_more_takes_nothing_older() -> None:
    """It was done; another message is not the one that was meant."""
    talk = Talk("I am a nurse", "I like tea")
    await talk.begin()
    done = await talk.say("forget that", ForgetWish("last"), replaces="r9")
    assert "found nothing" in done.outcome.answer.text
    assert await talk.held() == ["I am a nurse", "I like tea"]


@pytest.mark.req("MEM-4")
async def test_forget_that_means_the_message_replied_to() -> None:
    """It is not the last one, so it is shown first."""
    talk = Talk("I am a nurse", "I like tea")
    await talk.begin()
    request = make.request("forget that")
    reply = ReplyContext(1, "I am a nurse")
    talk.cast.planner.routing = Routing("x", "direct", "r", forget=ForgetWish("last"))
    message = replace(request.message, reply=reply)
    events = [e async for e in talk.turns.run(replace(request, request_id="r3", message=message))]
    question, _ = shown_by(events[-1])  # type: ignore[arg-type]  # the last one is Finished
    assert "I am a nurse" in question
    assert "tea" not in question


@pytest.mark.req("MEM-4", "MEM-6")
async def test_subject_is_shown_in_two_groups_and_deleted_when_confirmed() -> None:
    """Entries that tell of it, by a model; those that only name it, which stay unless chosen."""
    talk = Talk("I work as a nurse", "My shift was long", "How do I stop a cron job?", "Why?",
                choosing=("work", "Work", "shift"))  # fmt: skip
    await talk.begin()
    talk.remember(NURSE, TEA, summary="They have a night shift. They like tea.")
    question, choices = shown_by(await talk.say("forget my job", JOB))
    told, _, named = question.partition("These only mention it.")
    assert all(text in told for text in ("Works as a nurse", "My shift was long", "night shift"))
    assert "cron job" in named
    assert "Why?" not in question
    assert choices == ["Forget it", "Forget all of this", "Keep everything"]
    assert talk.facts() == ["Works as a nurse", "Likes tea"]
    done = await talk.say("Forget it", answers="r5")
    assert "1 thing that only mentions it stays" in done.outcome.answer.text
    assert "nurse" not in done.outcome.answer.text
    assert talk.facts() == ["Likes tea"]
    assert await talk.held() == ["How do I stop a cron job?", "Why?"]
    assert talk.cast.memories.kept[42].conversation_summary == "They like tea."


@pytest.mark.req("MEM-4", "MEM-6")
async def test_heeded_wish_leaves_no_word_of_itself() -> None:
    """Neither in the state, nor in the transcript, nor in the decision."""
    talk = Talk("I work as a nurse", choosing=("nurse",))
    await talk.begin()
    talk.remember(NURSE)
    await talk.say("forget my job as a nurse", JOB)
    await talk.say("Forget it", answers="r2")
    kept = [await talk.state(), talk.cast.transcript.turns, talk.cast.archive.kept]
    assert "nurse" not in str([*kept, talk.cast.decisions.rows, talk.cast.memories.kept])
    assert ("tg:42", "r2") in talk.cast.transcript.turns
    assert await talk.turns.last_question("tg:42") is None


@pytest.mark.req("MEM-4")
async def test_choice_to_keep_everything_deletes_nothing() -> None:
    """And says so."""
    talk = Talk("I work as a nurse", choosing=("nurse",))
    await talk.begin()
    talk.remember(NURSE)
    await talk.say("forget my job", JOB)
    kept = await talk.say("Keep everything", answers="r2")
    assert kept.outcome.answer.text == "Nothing was deleted."
    assert talk.facts() == ["Works as a nurse"]


@pytest.mark.req("INT-1")
async def test_only_a_choice_answers_what_is_asked_before_deleting() -> None:
    """A written "yes" is another message: nothing is deleted by what may mean something else."""
    talk = Talk("I work as a nurse", choosing=("nurse",))
    await talk.begin()
    talk.remember(NURSE)
    await talk.say("forget my job", JOB)
    after = await talk.say("yes, thank you for asking")
    assert after.outcome.interrupt is None
    assert after.outcome.answer.text == "An answer."
    assert talk.facts() == ["Works as a nurse"]


@pytest.mark.req("ACT-2", "MEM-4")
@pytest.mark.parametrize(
    ("reply", "notice"), [("thanks", "✗ Nothing was deleted."), ("Keep everything", "")]
)
async def test_question_before_deleting_that_is_passed_over_says_so(
    reply: str, notice: str
) -> None:
    """A choice is answered by its own turn, and any other message leaves a line."""
    talk = Talk("I work as a nurse", choosing=("nurse",))
    await talk.begin()
    talk.remember(NURSE)
    await talk.say("forget my job", JOB)
    events = await run(talk.turns, reply, request_id="r9")
    (closed,) = [event for event in events if isinstance(event, QuestionClosed)]
    assert (closed.request_id, closed.notice) == ("r2", notice)
    assert talk.facts() == ["Works as a nurse"]


@pytest.mark.req("MEM-4")
async def test_subject_that_nothing_tells_is_answered_so() -> None:
    """The second wish of two as well; no model is asked to choose from nothing."""
    talk = Talk()
    done = await talk.say("forget my horse", ForgetWish("subject", "my horse", ("horse",)))
    assert "found nothing about that" in done.outcome.answer.text
    assert talk.cast.chooser.prompts == []
    assert "horse" not in str(await talk.state())


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    "failure", [MalformedOutputError("model", "x"), UpstreamUnavailableError("model", "x")]
)
async def test_failure_of_the_choice_leaves_everything_and_says_so(failure: Exception) -> None:
    """Nothing is deleted on half a judgement."""
    talk = Talk("I work as a nurse", failure=failure)
    await talk.begin()
    talk.remember(NURSE)
    done = await talk.say("forget my job", JOB)
    assert "Nothing was deleted" in done.outcome.answer.text
    assert "/memory" in done.outcome.answer.text
    assert talk.facts() == ["Works as a nurse"]
    assert await talk.held() == ["I work as a nurse", "forget my job"]


@pytest.mark.req("MEM-4")
async def test_failure_of_the_planner_deletes_nothing_and_says_so() -> None:
    """Whatever the model that answers claims."""
    talk = Talk("I work as a nurse")
    await talk.begin()
    talk.remember(NURSE)
    talk.cast.planner.failure = MalformedOutputError("model", "x")
    done = await talk.say("forget my job")
    assert "nothing was done or deleted" in done.outcome.answer.text
    assert talk.facts() == ["Works as a nurse"]


async def test_row_of_failed_plans_is_explained_once() -> None:
    """Each answer says that nothing was done; why, only the first of a row."""
    talk, shown = Talk(), []
    failure = MalformedOutputError("model", "x")
    for failing in (failure, failure, failure, None, failure):
        talk.cast.planner.failure = failing
        notes = (await talk.say("What is staking?")).outcome.answer.text.split("\n\n")[1:]
        shown.append(notes)
    why, still = [say("en", f"planner-failed-{end}") for end in ("note", "still")]
    assert shown == [[f"_{why}_"], [f"_{still}_"], [f"_{still}_"], [], [f"_{why}_"]]


@pytest.mark.req("MEM-4")
async def test_everything_is_counted_confirmed_and_deleted() -> None:
    """Memories, the summary and every message."""
    talk = Talk("I work as a nurse", "Why?")
    await talk.begin()
    talk.remember(NURSE, TEA, summary="They like tea.")
    wish = ForgetWish("everything")
    question, _ = shown_by(await talk.say("forget everything about me", wish))
    assert "2 things that I remember and 2 messages" in question
    done = await talk.say("Forget it", answers="r3")
    assert "/forget deletes them too" in done.outcome.answer.text
    assert talk.cast.memories.kept[42] == LongTermMemory()
    assert await talk.held() == []
    assert [key for key in talk.cast.transcript.turns if key[1] in {"r1", "r2"}] == []


@pytest.mark.req("MEM-4")
async def test_choice_is_made_from_a_bounded_prompt() -> None:
    """Entries that do not fit are not judged; they are shown as naming the subject."""
    talk = Talk(*(f"My job is hard on day {n} {'and long ' * 40}" for n in range(6)),
                choosing=("day 0",))  # fmt: skip
    talk.cast.limits = Limits(max_context_tokens=1_200, recent_turns=10)
    await talk.begin()
    question, choices = shown_by(await talk.say("forget my job", JOB))
    (prompt,) = talk.cast.chooser.prompts
    assert 0 < prompt.system.count("<entry") < 6
    assert all(f"day {n}" in question for n in range(6))
    assert len(choices) == 3


@pytest.mark.req("INT-1")
async def test_wish_in_place_of_an_answer_begins_its_own_turn() -> None:
    """A question of ours was open: the wish ends it, and is confirmed by a question of its own."""
    talk = Talk("I work as a nurse", choosing=("nurse",))
    await talk.begin()
    clarification = Clarification("Which one?", ("A", "B"))
    talk.cast.planner.routing = Routing("x", "direct", "r", clarification=clarification)
    await run(talk.turns, "What about that one?", request_id="r2")
    talk.turn = 2
    question, _ = shown_by(await talk.say("forget my job", JOB))
    assert "I work as a nurse" in question
    done = await talk.say("Forget it", answers="r3")
    assert done.outcome.answer.text.startswith("Forgotten:")
    assert await talk.held() == ["What about that one?"]


@pytest.mark.costs("it looks for each word in all that is kept")
@settings(max_examples=12)
@given(
    word=st.sampled_from(["diabetes", "Erdnussallergie", "enfermera", "糖尿病", "аллергия"]),
    frames=st.lists(
        st.sampled_from(
            ["I have {}.", "Ich habe {} seit 2020", "tengo {}", "{}のことです", "Why?"]
        ),
        min_size=1,
        max_size=6,
    ),
    window=st.integers(2, 6),
)
@example(word="diabetes", frames=["I have {}.", "I have {}.", "Why?", "Why?"], window=2)
async def test_no_word_of_what_was_forgotten_is_kept(
    word: str, frames: list[str], window: int
) -> None:
    """Whichever language, and however much of it left the window for summary and archive."""
    talk = Talk(*(frame.format(word) for frame in frames), choosing=(word,))
    talk.cast.limits = Limits(recent_turns=window)
    talk.cast.summarizer.summary = f"They spoke of {word}. They like tea."
    await talk.begin()
    talk.cast.memories.kept[42] = replace(
        await talk.cast.memories.load(42), facts=(replace(NURSE, text=f"Has {word}"), TEA)
    )
    wish = ForgetWish("subject", word, (word,))
    _, choices = shown_by(await talk.say(f"forget {word}", wish))
    planned, folded = len(talk.cast.planner.prompts), len(talk.cast.summarizer.prompts)
    talk.cast.summarizer.summary = "They like tea."  # a model repeats only what it is given
    await talk.say(choices[-2], answers=f"r{talk.turn}")
    await talk.say("What did I tell you?")
    assert word not in str(talk.cast.planner.prompts[planned:])
    assert word not in str(talk.cast.summarizer.prompts[folded:])
    kept = [talk.cast.transcript.turns, talk.cast.archive.kept, talk.cast.decisions.rows]
    assert word not in str([*kept, talk.cast.memories.kept, await talk.state()])
    assert talk.facts() == ["Likes tea"]


async def test_wish_teaches_nothing() -> None:
    """Not even when nothing was found."""
    talk = Talk()
    await talk.say("forget that my name is Ann", ForgetWish("subject", "my name", ("Ann",)))
    assert talk.cast.extractor.prompts == []


@pytest.mark.parametrize("end", ["done", "kept", "nothing", "failed", "open"])
async def test_forget_that_behind_a_wish_takes_neither_the_wish_nor_what_is_older(end: str) -> None:
    """However the wish ended: its own words are not what is meant, nor is another message."""
    talk = Talk("I am a nurse", "I like tea", choosing=() if end == "nothing" else ("nurse",))
    await talk.begin()
    talk.remember(NURSE, TEA)
    if end == "failed":
        talk.cast.chooser.failure = UpstreamUnavailableError("model", "x")
    await talk.say("forget my job", replace(JOB, words=()) if end == "nothing" else JOB)
    if end in {"done", "kept"}:
        await talk.say("Forget it" if end == "done" else "Keep everything")
    facts = talk.facts()
    talk.cast.chooser.failure = None
    told = await talk.say("forget that", ForgetWish("last"))
    assert told.outcome.interrupt is None, shown_by(told)
    assert "found nothing" in told.outcome.answer.text
    assert talk.facts() == facts
    assert "I like tea" in await talk.held()
