"""The subject of the documents, as a model words it, and when it is asked again."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from rich_agent.composition.domain_description import (
    DescribedSubject,
    Subject,
    describe_domain,
    update_description,
)
from rich_agent.domain.routing.described_domain import DescribedDomain, is_due
from rich_agent.domain.routing.plan import Domain
from rich_agent.ports.knowledge import DocumentBeginning, WrittenFrom
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.servers.structured import StructuredModel

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Model:
    """A model that gives one description, and keeps what it was asked."""

    answer: DescribedSubject
    questions: list[object] = field(default_factory=list)

    async def ask(self, *question: object) -> DescribedSubject:
        """See `StructuredModel`."""
        self.questions.append(question)
        return self.answer


@dataclass
class Store:
    """A `DomainStore` in memory."""

    documents: int
    kept: DescribedDomain | None = None
    may_begin: bool = True

    async def read(self) -> DescribedDomain | None:
        """See `DomainStore`."""
        return self.kept

    async def count(self) -> int:
        """See `DomainStore`."""
        return self.documents

    async def sample(self, limit: int) -> list[DocumentBeginning]:
        """See `DomainStore`."""
        return [DocumentBeginning("Leave", "28 days")][:limit]

    async def begin(self, *, at_once: bool = False) -> datetime | None:
        """See `DomainStore`."""
        return NOW if self.may_begin or at_once else None

    async def keep(self, domain: Domain, written_from: WrittenFrom, tried_at: datetime) -> None:
        """See `DomainStore`."""
        documents = written_from.documents
        self.kept = DescribedDomain(domain.description, domain.examples, documents, 0, tried_at)

    async def clear(self) -> None:
        """See `DomainStore`."""
        self.kept = None


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    """The planner of these tests."""
    answer = DescribedSubject(
        fits=True, name="leave", description="Rules on leave.", examples=["How many days?"]
    )
    model = Model(answer)
    monkeypatch.setattr(StructuredModel, "ask", model.ask)
    return model


@pytest.mark.usefixtures("model")
async def test_words_of_the_operator_are_never_replaced_by_the_present_domain() -> None:
    """Not even by a small model that says "it fits" where there is nothing to compare."""
    settings, present = Settings.load(openai_api_key="none"), Domain("pets", "Pets.")
    told = Subject(about="rules on leave", present=present)
    assert (await describe_domain(settings, told)).name == "leave"
    sample = [DocumentBeginning("Cats", "A cat.")]
    assert await describe_domain(settings, Subject(sample, present=present)) == present
    assert (await describe_domain(settings, Subject(sample))).description == "Rules on leave."


def described(documents: int, changed: int) -> DescribedDomain:
    """A description of so many documents."""
    return DescribedDomain("Pets.", (), documents, changed, NOW - timedelta(days=1))


@pytest.mark.parametrize(
    ("kept", "documents", "due"),
    [
        (None, 0, False),
        (None, 1, True),
        (described(8, 0), 8, False),
        (described(8, 1), 8, False),
        (described(8, 2), 8, True),
        # Others came, or a source was removed.
        (described(8, 0), 10, True),
        (described(8, 0), 6, True),
        (described(1, 0), 0, True),
        # Nobody may be told what few may read now.
        (replace(described(8, 0), is_open=False), 8, True),
        # Documents that change all the time are described once a day.
        (replace(described(8, 8), described_at=NOW - timedelta(hours=1)), 8, False),
    ],
)
def test_documents_are_described_again_if_a_quarter_changed(
    kept: DescribedDomain | None, documents: int, *, due: bool
) -> None:
    """By counts that the database keeps."""
    assert is_due(kept, documents, NOW) is due


async def test_description_is_asked_for_only_if_it_is_due(model: Model) -> None:
    """Never if the operator wrote one; without documents nothing is asked, and it goes."""
    own = Settings.load(openai_api_key="none", DOMAIN_DESCRIPTION="Mine.")
    settings, store = Settings.load(openai_api_key="none"), Store(documents=3)
    assert await update_description(own, store) is None
    assert model.questions == []
    first = await update_description(settings, store)
    assert first is not None
    assert (first.description, first.examples) == ("Rules on leave.", ("How many days?",))
    assert await update_description(settings, store) == first
    assert len(model.questions) == 1
    store.documents = 0
    assert await update_description(settings, store) is None
    assert store.kept is None
    assert len(model.questions) == 1


async def test_try_that_has_to_wait_asks_nothing_and_tells_nothing_confidential(
    model: Model,
) -> None:
    """A description of what few may read now is neither returned nor shown to the model."""
    settings = Settings.load(openai_api_key="none")
    store = Store(documents=3, kept=replace(described(3, 0), is_open=False), may_begin=False)
    assert await update_description(settings, store) is None
    assert model.questions == []
    assert await update_description(settings, store, at_once=True) is not None
    assert "Pets." not in repr(model.questions)
    assert store.kept is not None
    assert store.kept.description == "Rules on leave."
