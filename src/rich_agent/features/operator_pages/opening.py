"""Makes the operator's pages."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from rich_agent.feature import Core, Parts
from rich_agent.feature.database import OPERATORS
from rich_agent.feature.pages import PageArea, PageEntry, PageLink, PageRoute, surroundings_of
from rich_agent.feature.surface import Surface
from rich_agent.features.operator_pages import audit, models, people, settings, today
from rich_agent.features.operator_pages.audit import AuditPage
from rich_agent.features.operator_pages.knowledge.opening import KnowledgePages
from rich_agent.features.operator_pages.knowledge.visiting import PATH as KNOWLEDGE_PATH
from rich_agent.features.operator_pages.models import ModelsPage
from rich_agent.features.operator_pages.people import Invitations, PeoplePage
from rich_agent.features.operator_pages.quality import page as quality
from rich_agent.features.operator_pages.quality.due_work import QuestionWork
from rich_agent.features.operator_pages.quality.page import QualityPage, Workers
from rich_agent.features.operator_pages.quality.recording import QuestionRecorder
from rich_agent.features.operator_pages.quality.repository import WeakQuestions
from rich_agent.features.operator_pages.repositories.lanes import Lanes
from rich_agent.features.operator_pages.repositories.models import ModelsReader, read_most_used
from rich_agent.features.operator_pages.repositories.people import PeopleRows
from rich_agent.features.operator_pages.repositories.today import TodayReader, count_turns
from rich_agent.features.operator_pages.repositories.usage_days import KeptDays, read_use
from rich_agent.features.operator_pages.roles import (
    KNOWLEDGE_READERS,
    READERS,
    GivenRoles,
    OperatorRoles,
)
from rich_agent.features.operator_pages.settings import Listeners, SettingsPage
from rich_agent.features.operator_pages.today import TodayPage
from rich_agent.features.operator_pages.work import page as work
from rich_agent.features.operator_pages.work.page import WorkPage

AREA = "operator"
PATH = "/operator"
_NAME_KEY = "operator_pages-name"


def make_parts(core: Core) -> Parts:
    """The pages, in a process that serves HTTP at a public address."""
    rows, given = PeopleRows(core.databases.app), GivenRoles(core.databases.app)
    # A worker without HTTP lets invited people in, and says what is seen, too.
    parts = Parts(
        start_codes=[Invitations(rows, core.audit, core.access).take],
        privacy_phrases=["operator_pages-privacy"] if core.settings.web.public_address else [],
    )
    around = surroundings_of(core)
    if around is None or core.surface is None:
        return parts
    roles = OperatorRoles(core.access, given)
    area = PageArea(
        PATH,
        _NAME_KEY,
        Path(__file__).parent / "templates",
        around,
        roles.of,
        news_of=lambda _user_id: OPERATORS,
        audit=core.audit,
    )
    questions = WeakQuestions(core.databases.app)
    recorder = QuestionRecorder(questions, core.past_turns.find)
    pages = _pages(core, core.surface, rows, given)
    area.entries.extend(entry for entry, _ in pages)
    core.areas[AREA] = area
    routes = [route for _, page in pages for route in page.routes()]
    return replace(
        parts,
        routes=[*area.routes(routes), area.live_route()],
        recorded_turns=[recorder.note_turn],
        ratings=[recorder.note_rating],
        work=QuestionWork(questions, core.open_documents, core.surface).kinds(),
        page_links=[
            PageLink(PATH, _NAME_KEY, roles.reads_all),
            PageLink(KNOWLEDGE_PATH, _NAME_KEY, roles.is_author),
        ],
    )


class OperatorPage(Protocol):
    """A page of the area, with its routes."""

    def routes(self) -> Sequence[PageRoute]:
        """Return the routes."""


def _pages(
    core: Core, surface: Surface, rows: PeopleRows, given: GivenRoles
) -> Sequence[tuple[PageEntry, OperatorPage]]:
    """The pages with their entries, in the order of the navigation."""
    databases = core.databases
    use = KeptDays(partial(read_use, databases))
    turns = KeptDays(partial(count_turns, databases))
    most_used = KeptDays(partial(read_most_used, databases))
    return (
        (
            PageEntry(today.PATH, "operator_pages-today", READERS),
            TodayPage(TodayReader(databases, use, turns), lambda: core.settings.prices),
        ),
        (
            PageEntry(people.PATH, "operator_pages-people", READERS),
            PeoplePage(core, rows, given, surface.bot_username),
        ),
        (
            PageEntry(KNOWLEDGE_PATH, "operator_pages-knowledge", KNOWLEDGE_READERS),
            KnowledgePages(core),
        ),
        (
            PageEntry(models.PATH, "operator_pages-models", READERS),
            ModelsPage(ModelsReader(databases, most_used), use, core.live, core.accounts),
        ),
        (
            PageEntry(settings.PATH, "operator_pages-settings", READERS),
            SettingsPage(
                core.live, core.setting_changes, core.accounts, Listeners(core.databases.app)
            ),
        ),
        *_work_pages(core, surface, given),
        (
            PageEntry(audit.PATH, "operator_pages-audit", READERS),
            AuditPage(core.audit, core.accounts),
        ),
    )


def _work_pages(
    core: Core, surface: Surface, given: GivenRoles
) -> Sequence[tuple[PageEntry, OperatorPage]]:
    """The pages of what waits for somebody's work."""
    return (
        (
            PageEntry(quality.PATH, "operator_pages-quality", KNOWLEDGE_READERS),
            QualityPage(
                WeakQuestions(core.databases.app),
                Workers(core.access, given, core.accounts),
                core.past_turns.find,
                surface,
                core.spaces,
                core.test_questions,
            ),
        ),
        (
            PageEntry(work.PATH, "operator_pages-work", READERS),
            WorkPage(
                core.approvals,
                core.dead_letters,
                core.due_work,
                Lanes(core.databases.app),
                core.accounts,
            ),
        ),
    )
