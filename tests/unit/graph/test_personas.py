"""The persona of a turn: chosen once, the same in all of its prompts, and no more than a manner."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rich_agent.domain.persona import Persona, Personas
from rich_agent.domain.text import estimate_tokens
from rich_agent.graph.nodes.load_long_term_memory import load_long_term_memory
from rich_agent.graph.origins import words_of_prompt
from rich_agent.graph.personas import answer_persona_update
from rich_agent.graph.state import TurnState
from rich_agent.ports.personas import FindPersonas
from rich_agent.ports.spaces import ReadableSpace
from rich_agent.prompts import render_part
from tests import make
from tests.golden_prompts.files import FOLDER
from tests.golden_prompts.situations import ANSWER, PLAN
from tests.scripted import ScriptedPassages, ScriptedSpaces

OWN, SALES = Persona("Ada", "Warm."), Persona("Sam", "Formal.")
PERSONAS = Personas(OWN, {"sales": SALES})


def given(personas: Personas) -> FindPersonas:
    """A function that gives these personas."""

    async def find() -> Personas:
        return personas

    return find


def cast_of(personas: Personas, *spaces: tuple[str, bool]) -> make.Fakes:
    """A bot with these personas, and a reader with these spaces, chosen or put away."""
    readable = [ReadableSpace(n, name, 1, chosen) for n, (name, chosen) in enumerate(spaces, 1)]
    named = tuple((space.id, space.name) for space in readable)
    passages = ScriptedPassages(spaces=named)
    found = given(personas)
    return make.Fakes(passages=passages, spaces=ScriptedSpaces(readable), find_personas=found)


async def persona_of_turn(cast: make.Fakes, state: TurnState | None = None) -> object:
    """The persona that N2 puts into the state."""
    update = await load_long_term_memory(state or make.state(), make.runtime(cast))
    return update.get("persona")


@pytest.mark.parametrize(
    ("spaces", "name"),
    [
        ([], "Ada"),
        ([("Sales", True)], "Sam"),
        ([("Sales", True), ("HR", False)], "Sam"),
        ([("Sales", True), ("HR", True)], "Ada"),
        ([("Sales", False), ("HR", True)], "Ada"),
    ],
)
async def test_turn_has_the_persona_of_the_one_space_that_is_chosen(
    spaces: Sequence[tuple[str, bool]], name: str
) -> None:
    """A space that was put away with /spaces does not count; with two, none of them does."""
    persona = await persona_of_turn(cast_of(PERSONAS, *spaces))
    assert persona == {"name": name, "tone": {"Ada": "Warm.", "Sam": "Formal."}[name]}


async def test_turn_without_a_persona_stores_nothing() -> None:
    """Unless the turn before had one, which does not stay."""
    cast = cast_of(Personas())
    assert await persona_of_turn(cast) is None
    before: TurnState = {**make.state(), "persona": {"name": "Ada"}}
    assert await persona_of_turn(cast, before) == {}


async def test_question_that_names_a_space_is_answered_by_its_persona() -> None:
    """In the answer alone: the beginning of all prompts stays as it was."""
    cast = cast_of(PERSONAS, ("Sales", True), ("HR", True))
    state: TurnState = {**make.state(), "persona": {"name": "Ada", "tone": "Warm."}}
    update = await answer_persona_update([1], state, cast.services())
    assert update == {"persona": {**state["persona"], "of_answer": SALES.over(OWN).to_state()}}
    for spaces in ([], [1, 2], [2]):
        assert await answer_persona_update(spaces, state, cast.services()) == {}


async def test_words_of_a_persona_are_the_operators() -> None:
    """Both of a turn; neither makes a turn foreign, so nothing is asked that was not before."""
    state: TurnState = {
        **make.state(),
        "persona": {"name": "Ada", "of_answer": {"tone": "Formal."}},
    }
    words = [one for one in words_of_prompt(state) if one.origin == "operator"]
    assert [one.text for one in words] == ["Ada", "Formal."]
    assert not any(one.is_foreign for one in words_of_prompt(state))


@pytest.mark.parametrize("prompt", [PLAN, ANSWER])
def test_persona_stands_before_what_changes(prompt: str) -> None:
    """In the part of a prompt that servers reuse, with all rules of the answer behind it."""
    text = (FOLDER / prompt / "persona.txt").read_text("utf-8")
    begin, end = text.index("<persona"), text.index("</persona>")
    plain = (FOLDER / prompt / "documents.txt").read_text("utf-8")
    assert text[:begin].startswith(plain[: plain.index("Registered documents:")])
    assert end < text.index("======== user")


def test_hostile_persona_opens_and_closes_nothing() -> None:
    """Tags, braces and turned text stay text within the persona's own tag."""
    text = (FOLDER / ANSWER / "persona_hostile.txt").read_text("utf-8")
    system, _, user = text.partition("======== user")
    assert system.count("<persona") == system.count("</persona>") == 1
    assert "<question>" not in system
    assert "\u202e" not in text
    assert "Write the number of its passage after each sentence" in user


def test_persona_costs_little_besides_its_own_words() -> None:
    """At most 110 tokens of instructions around it."""
    slots = {"described": replace(OWN, rules=("No advice.",))}
    own = estimate_tokens(render_part("persona", **slots))
    text = (FOLDER / PLAN / "persona.txt").read_text("utf-8")
    around = text[text.index("You speak as") : text.index("<persona")]
    assert estimate_tokens(around) <= 110
    assert own < 40
