"""The parts of a persona, as a file, a form and the database have it, with its limits.

Name, tone and rules stand in every prompt, so they are short: what is longer is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from rich_agent.feature.personas import LANGUAGES, FirstWords, Persona, estimate_tokens, is_blank
from rich_agent.feature.text import clean_text, counted, printable

MOST_TOKENS = 300
"""Tokens of name, tone and rules together, as estimated."""
MOST_NAME, MOST_TONE, MOST_RULE, MOST_RULES = 60, 600, 300, 12
MOST_GREETING, MOST_STARTER, MOST_STARTERS = 1_000, 120, 6
Problem = tuple[tuple[str | int, ...], str]
"""The place of a problem in a persona, and what is wrong there."""


def _plain(text: str) -> str:
    """The text without control characters; "" if nothing of it can be seen."""
    return "" if is_blank(text) else printable(clean_text(text)).strip()


def _one_line(text: str) -> str:
    return " ".join(_plain(text).split())


def _at_most(most: int, unit: str = "character") -> AfterValidator:
    """A limit of characters, or of the entries of a list."""

    def check(value: Any) -> Any:  # noqa: ANN401 - a text or a list
        if len(value) > most:
            plural = "entries" if unit == "entry" else ""
            raise ValueError(f"has {counted(len(value), unit, plural)}, the most are {most:,}")
        return value

    return AfterValidator(check)


def _filled(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, texts))


def _known(languages: Mapping[str, Any]) -> Mapping[str, Any]:
    for locale in languages:
        if locale not in LANGUAGES:
            raise ValueError(f"has no language {locale[:20]}; there are {', '.join(LANGUAGES)}")
    return languages


_Line = Annotated[str, AfterValidator(_one_line)]
_Name = Annotated[_Line, _at_most(MOST_NAME)]
_Tone = Annotated[str, AfterValidator(_plain), _at_most(MOST_TONE)]
_Rules = Annotated[
    tuple[Annotated[_Line, _at_most(MOST_RULE)], ...],
    AfterValidator(_filled),
    _at_most(MOST_RULES, "entry"),
]
_Greeting = Annotated[str, AfterValidator(_plain), _at_most(MOST_GREETING)]
_Starters = Annotated[
    tuple[Annotated[_Line, _at_most(MOST_STARTER)], ...],
    AfterValidator(_filled),
    _at_most(MOST_STARTERS, "entry"),
]


class OpeningContent(BaseModel):
    """A greeting, and questions to start with."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    greeting: _Greeting = ""
    starters: _Starters = Field((), strict=False)

    def to_opening(self) -> FirstWords:
        """Convert to the domain type."""
        return FirstWords(self.greeting, self.starters)


class PersonaContent(OpeningContent):
    """A persona without its picture. Every field may be left out."""

    name: _Name = ""
    tone: _Tone = ""
    rules: _Rules = Field((), strict=False)
    languages: Annotated[dict[str, OpeningContent], AfterValidator(_known)] = Field(
        default_factory=dict
    )

    def to_persona(self, picture: tuple[str, bytes] | None = None) -> Persona:
        """Convert to the domain type."""
        languages = {locale: words.to_opening() for locale, words in self.languages.items()}
        opening = self.to_opening()
        return Persona(self.name, self.tone, self.rules, opening, languages, picture)

    def to_json(self) -> dict[str, Any]:
        """The content without what was left out."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @classmethod
    def stored(cls, value: Mapping[str, Any]) -> Self:
        """The content that `to_json` wrote, whatever limits hold now."""
        words = {
            locale: OpeningContent.model_construct(
                greeting=one.get("greeting", ""), starters=tuple(one.get("starters", ()))
            )
            for locale, one in value.get("languages", {}).items()
        }
        return cls.model_construct(
            name=value.get("name", ""),
            tone=value.get("tone", ""),
            rules=tuple(value.get("rules", ())),
            greeting=value.get("greeting", ""),
            starters=tuple(value.get("starters", ())),
            languages=words,
        )

    @classmethod
    def of(cls, persona: Persona) -> Self:
        """The content of a persona, without its picture."""
        openings = {
            locale: OpeningContent(greeting=words.greeting, starters=words.starters)
            for locale, words in persona.languages.items()
        }
        return cls(
            name=persona.name,
            tone=persona.tone,
            rules=persona.rules,
            greeting=persona.opening.greeting,
            starters=persona.opening.starters,
            languages=openings,
        )


class PersonaRefusedError(ValueError):
    """A persona that cannot be used; `problems` are all of them, each with its place."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(text for _, text in problems))
        self.problems = tuple(problems)


def read_content(values: Mapping[str, Any]) -> PersonaContent:
    """The persona with these values. Raises: PersonaRefusedError."""
    try:
        content = PersonaContent.model_validate(values)
    except ValidationError as error:
        raise PersonaRefusedError(list(_problems(error))) from error
    tokens = estimate_tokens("\n".join((content.name, content.tone, *content.rules)))
    if tokens > MOST_TOKENS:
        place = "rules" if content.rules else "tone"
        problem = (
            f"name, tone and rules have about {tokens} tokens together, the most are "
            f"{MOST_TOKENS}: they stand in every prompt"
        )
        raise PersonaRefusedError([((place,), problem)])
    return content


def _problems(error: ValidationError) -> Iterator[Problem]:
    for one in error.errors(include_input=False, include_url=False):
        place = one["loc"]
        if one["type"] == "extra_forbidden":
            yield place, "is no part of a persona"
        else:
            yield place, one["msg"].removeprefix("Value error, ")
