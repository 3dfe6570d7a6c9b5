"""Answers from documents with rights, and what becomes of them without the right."""

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.graph.memory.learning import update_memory
from rich_agent.graph.memory.window import to_remember, turns_of
from rich_agent.graph.origins import answer_message
from rich_agent.graph.rights import GUARDS, marked_guards, unreadable_messages
from rich_agent.ports.spaces import ReadableSpace
from tests import make
from tests.scripted import ScriptedSpaces

TOLD = "The board sells the lantern works to Zephyrine for 4,800 euros."


def earlier() -> list[BaseMessage]:
    """A turn that was answered from the space 7."""
    return [
        HumanMessage("To whom?", id="r0:user"),
        AIMessage(TOLD, id="r0:assistant", additional_kwargs={GUARDS: ["space:7"]}),
        HumanMessage("And now?", id="r1:user"),
    ]


@pytest.mark.parametrize(
    ("text", "read", "guards"),
    [
        ("They sell it.", [], {"space:7"}),
        ("It rains.", [make.passage()], set()),
        (f"It rains. {TOLD}", [make.passage()], {"space:7"}),
        (
            "It is sold.",
            [make.passage(guards=("space:3", "document:5"))],
            {"space:3", "document:5"},
        ),
        (TOLD, [make.passage(guards=("document:3",))], {"document:3", "space:7"}),
    ],
)
async def test_answer_is_marked_with_the_rights_that_it_rests_on(
    text: str, read: list[Passage], guards: set[str]
) -> None:
    """It read them, or repeats what they told; where it read nothing, all before it count."""
    chunks = [passage.to_state() for passage in read]
    state = make.state(messages=earlier(), rag={"retrieved_chunks": chunks})
    assert marked_guards(await answer_message(text, state)) == guards


@pytest.mark.parametrize(("may_read", "gone"), [(True, []), (False, ["r0:user", "r0:assistant"])])
async def test_turn_leaves_the_prompts_with_the_right(*, may_read: bool, gone: list[str]) -> None:
    """Question and answer; the others stay."""
    spaces = ScriptedSpaces([ReadableSpace(7, "Board", 1, is_chosen=True)] if may_read else [])
    services = make.Fakes(spaces=spaces).services()
    closed = await unreadable_messages(make.state(messages=earlier()), services)
    assert [message.id for message in closed] == gone


def test_answer_from_a_space_is_not_remembered() -> None:
    """The question is, and every other answer."""
    other = [HumanMessage("Hi", id="r2:user"), AIMessage("Hello.", id="r2:assistant")]
    turns = to_remember(turns_of([*earlier()[:2], *other], 42, "tg:42"))
    assert [(turn.question, turn.answer) for turn in turns] == [("To whom?", ""), ("Hi", "Hello.")]


@pytest.mark.parametrize(("guards", "is_read"), [([], True), (["document:5"], False)])
async def test_lesson_does_not_read_an_answer_from_protected_documents(
    guards: list[str], *, is_read: bool
) -> None:
    """Memory would outlive the right. Other answers are read."""
    question, answer, message = earlier()
    answer.additional_kwargs = {GUARDS: guards}
    cast = make.Fakes()
    state = make.state("I want that.", messages=[question, answer, message])
    await update_memory(state, cast.context())
    (prompt,) = cast.extractor.prompts
    assert (TOLD in "".join(prompt.texts())) is is_read
    assert "I want that." in prompt.user


async def test_lesson_of_a_turn_never_reads_its_answer() -> None:
    """So it reads the rest, also where documents with rights are behind that answer."""
    question, answer, _ = earlier()
    cast = make.Fakes()
    request = {**make.stored("To whom?"), "request_id": "r0"}
    state = make.state("To whom?", request=request, messages=[question, answer])
    await update_memory(state, cast.context())
    (prompt,) = cast.extractor.prompts
    assert TOLD not in "".join(prompt.texts())
    assert "It is now " in prompt.user
