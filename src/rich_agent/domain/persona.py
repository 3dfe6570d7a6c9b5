"""Personas: what the operator says about how the bot speaks. A persona permits nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from rich_agent.domain.words import Words


@dataclass(frozen=True, slots=True)
class FirstWords:
    """The first words to a user: a greeting, and questions to start with."""

    greeting: str = ""
    starters: tuple[str, ...] = ()

    def over(self, base: "FirstWords") -> "FirstWords":
        """These words, with those of `base` for parts that are left out."""
        return FirstWords(self.greeting or base.greeting, self.starters or base.starters)


@dataclass(frozen=True, slots=True)
class Persona:
    """A name, a tone, rules and first words; every part may be left out.

    `languages` has first words by locale, for users of that language. `picture` is a media type
    and the bytes of an image.
    """

    name: str = ""
    tone: str = ""
    rules: tuple[str, ...] = ()
    opening: FirstWords = FirstWords()
    languages: Mapping[str, FirstWords] = field(default_factory=dict)
    picture: tuple[str, bytes] | None = None

    def opening_in(self, locale: str) -> FirstWords:
        """The first words for users of a language; parts that it lacks are in the one language."""
        return self.languages.get(locale, FirstWords()).over(self.opening)

    def over(self, base: "Persona | None") -> "Persona":
        """This persona, with the parts of `base` that it leaves out."""
        if base is None:
            return self
        has_opening = bool(self.opening.greeting or self.opening.starters or self.languages)
        return Persona(
            self.name or base.name,
            self.tone or base.tone,
            self.rules or base.rules,
            self.opening.over(base.opening),
            self.languages if has_opening else base.languages,
            self.picture or base.picture,
        )

    def without_opening(self) -> "Persona":
        """The part of the persona that prompts have."""
        return replace(self, opening=FirstWords(), languages={}, picture=None)

    @property
    def words(self) -> Words:
        """The words of the persona that prompts have, as the operator's."""
        return Words("\n".join(filter(None, (self.name, self.tone, *self.rules))), "operator")

    def to_state(self) -> dict[str, Any]:
        """The part of the persona that prompts have, as JSON; {} if it is empty."""
        parts = {"name": self.name, "tone": self.tone, "rules": list(self.rules)}
        return {key: part for key, part in parts.items() if part}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The persona that `to_state` wrote."""
        return cls(state.get("name", ""), state.get("tone", ""), tuple(state.get("rules", ())))


@dataclass(frozen=True, slots=True)
class Personas:
    """The personas in effect: the bot's own, and those of spaces by their names in small letters.

    What the persona of a space leaves out, it has from the bot's.
    """

    of_bot: Persona | None = None
    by_space: Mapping[str, Persona] = field(default_factory=dict)

    def where_read(self, spaces: Sequence[str]) -> Persona | None:
        """The persona for a reader of these spaces: that of the space if there is only one."""
        own = self.by_space.get(spaces[0].lower()) if len(spaces) == 1 else None
        return own.over(self.of_bot) if own else self.of_bot
