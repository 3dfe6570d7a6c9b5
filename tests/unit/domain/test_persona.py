"""Personas: what is left out, whose counts where, and in which language they begin."""

import pytest

from rich_agent.domain.persona import FirstWords, Persona, Personas

OWN = Persona("Ada", "Warm.", ("No advice.",), FirstWords("Hello!", ("How much?",)))
SALES = Persona(tone="Formal.", languages={"de": FirstWords("Guten Tag!")})


def test_opening_is_in_the_language_of_the_user() -> None:
    """Part by part: what a language lacks is shown as it is."""
    persona = Persona(opening=OWN.opening, languages={"de": FirstWords("Hallo!")})
    assert persona.opening_in("de") == FirstWords("Hallo!", ("How much?",))
    assert persona.opening_in("ja") == OWN.opening


def test_persona_of_a_space_has_the_rest_from_the_bots_own() -> None:
    """Name and rules from the bot, tone and greeting its own."""
    persona = Personas(OWN, {"sales": SALES}).where_read(["Sales"])
    assert persona is not None
    assert (persona.name, persona.tone, persona.rules) == ("Ada", "Formal.", ("No advice.",))
    assert persona.opening_in("de").greeting == "Guten Tag!"
    assert persona.opening_in("en").greeting == "Hello!"


@pytest.mark.parametrize(
    ("spaces", "expected"),
    [([], OWN), (["Sales", "HR"], OWN), (["HR"], OWN), (["SALES"], SALES.over(OWN))],
)
def test_persona_of_a_space_counts_where_nothing_else_is_read(
    spaces: list[str], expected: Persona
) -> None:
    """With two spaces, or another one, the bot's own counts."""
    assert Personas(OWN, {"sales": SALES}).where_read(spaces) == expected
    assert Personas(None, {"sales": SALES}).where_read(["HR"]) is None


def test_persona_in_a_state_is_what_prompts_have() -> None:
    """A greeting and a picture are in no prompt, so no turn keeps them."""
    assert Persona.from_state(OWN.to_state()) == OWN.without_opening()
    assert Persona(opening=FirstWords("Hello!")).to_state() == {}
    assert OWN.words.text == "Ada\nWarm.\nNo advice."
    assert (OWN.words.origin, OWN.words.is_foreign, OWN.words.is_untrusted) == (
        "operator",
        False,
        False,
    )
