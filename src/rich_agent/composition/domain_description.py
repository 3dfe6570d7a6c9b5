"""Descriptions of what the registered documents are about, written by the planner's model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from rich_agent.composition.model_server import open_models
from rich_agent.domain.routing.described_domain import DescribedDomain, is_due
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.text import clean_text, shorten
from rich_agent.ports.knowledge import DocumentBeginning, DomainStore, WrittenFrom
from rich_agent.prompts import render_prompt
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.models.forms import OpenAIFormModel
from rich_agent.upstreams.servers.output_shapes import ModelOutput, MostChars, MostItems

MOST_TITLES = 40
_MOST_BEGINNINGS = 12
_LONGEST_NAME, _LONGEST_TEXT, _LONGEST_EXAMPLE = 40, 400, 150


class DescribedSubject(ModelOutput):
    """The subject of the documents."""

    fits: bool = Field(description="Whether the present description is about the same subject.")
    name: Annotated[str, MostChars(_LONGEST_NAME)] = Field(
        description="One to three English words in small letters, with _ between."
    )
    description: Annotated[str, MostChars(_LONGEST_TEXT)] = Field(
        description="One or two sentences."
    )
    examples: Annotated[list[Annotated[str, MostChars(_LONGEST_EXAMPLE)]], MostItems(3)] = Field(
        default_factory=list, description="Three typical questions, without commas."
    )

    def to_domain(self, instead_of: Domain) -> Domain:
        """The description as the settings can hold it."""
        name = re.sub(r"[^a-z0-9]+", "_", self.name.lower()[:_LONGEST_NAME]).strip("_")
        examples = (" ".join(clean_text(one).replace(",", " ").split()) for one in self.examples)
        return Domain(
            name or instead_of.name,
            shorten(" ".join(clean_text(self.description).split()), _LONGEST_TEXT),
            tuple(shorten(one, _LONGEST_TEXT) for one in examples if one),
        )


@dataclass(frozen=True, slots=True)
class Subject:
    """The material for a domain: the operator's own words `about`, or else documents.

    `present` is the description that may still fit.
    """

    documents: Sequence[DocumentBeginning] = ()
    about: str = ""
    present: Domain | None = None


async def describe_domain(settings: Settings, subject: Subject) -> Domain:
    """The domain of these documents (the present one if it still fits), or of the words `about`.

    Raises: UpstreamError, SettingsError without a key.
    """
    present = None if subject.about else subject.present
    prompt = render_prompt(
        "describe_domain",
        present=present,
        titles=[one.title for one in subject.documents],
        beginnings=[one.words for one in subject.documents[:_MOST_BEGINNINGS] if one.words],
        about=subject.about,
    )
    async with open_models() as access:
        planner = OpenAIFormModel(access(settings.models.role("planner")))
        description = await planner.fill(prompt, DescribedSubject)
    if present and description.fits:
        return present
    return description.to_domain(settings.turn.domain)


async def update_description(
    settings: Settings, store: DomainStore, *, at_once: bool = False
) -> DescribedDomain | None:
    """Have the documents described if they are not yet, or if many have changed since.

    After a try that failed the next one waits, unless `at_once`.

    Returns the description that is used then: None if there are no documents, or if the operator
    has set one.
    Raises: UpstreamError, SettingsError without a key, DatabaseUnavailableError.
    """
    own = settings.turn.domain
    if own.description:
        return None
    kept, documents = await store.read(), await store.count()
    if not is_due(kept, documents, datetime.now(UTC)):
        return kept
    kept = kept if kept and kept.is_open else None
    if not documents:
        await store.clear()
        return None
    settings.models.role("planner")  # without a key nothing is tried
    tried_at = await store.begin(at_once=at_once)
    if tried_at is None:
        return kept
    sample = await store.sample(MOST_TITLES)
    present = Domain(own.name, kept.description, kept.examples) if kept else None
    domain = await describe_domain(settings, Subject(sample, present=present))
    if not domain.description:
        return kept
    await store.keep(domain, WrittenFrom(sample, documents), tried_at)
    return await store.read()


def settings_of(domain: Domain) -> dict[str, str]:
    """The settings that describe the domain in `.env`."""
    return {
        "DOMAIN_NAME": domain.name,
        "DOMAIN_DESCRIPTION": domain.description,
        "DOMAIN_EXAMPLES": ",".join(domain.examples),
    }
