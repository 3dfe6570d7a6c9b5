"""The questions that are suggested at the beginning."""

from dataclasses import dataclass

import pytest
from typing_extensions import override

from rich_agent.chat_commands.suggestions import subjects_to_try
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.plan import Domain
from tests.scripted import ScriptedCatalogue


@dataclass
class Catalogue(ScriptedCatalogue):
    """A catalogue whose documents a model described."""

    @override
    async def subjects(self, _limit: int, _reader: Reader) -> list[str]:
        """See `SourceCatalogue`."""
        return ["Handbook"]

    @override
    async def typical_questions(self, _reader: Reader) -> list[str]:
        """See `SourceCatalogue`."""
        return ["Written?"]


@pytest.mark.parametrize(
    ("domain", "suggested"),
    [
        (Domain("documents", ""), ["Written?", "Handbook"]),
        (Domain("documents", "", ("Own?",)), ["Own?", "Handbook"]),
        (Domain("documents", "Mine.", ("Own?",)), ["Own?", "Handbook"]),
        (Domain("documents", "Mine."), ["Handbook"]),
    ],
)
async def test_words_of_the_operator_come_before_those_of_a_model(
    domain: Domain, suggested: list[str]
) -> None:
    """As for the planner: a model describes nothing where the operator does."""
    assert await subjects_to_try(domain, Catalogue(), Reader(7)) == suggested
