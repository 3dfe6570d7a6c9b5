"""Makes the pages on documents."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.feature import Core
from rich_agent.feature.pages import PageRoute
from rich_agent.feature.registry import (
    FetchOptions,
    KnowledgeListing,
    PostgresConnections,
    PostgresDocumentRights,
    PostgresSpaceRegistry,
    PostgresUploadedFiles,
    SyncProgressReader,
    source_registration,
)
from rich_agent.features.operator_pages.knowledge.adding import AddingPages
from rich_agent.features.operator_pages.knowledge.document import DocumentPage
from rich_agent.features.operator_pages.knowledge.searching import SearchPage
from rich_agent.features.operator_pages.knowledge.source import RegisteredSourcePage
from rich_agent.features.operator_pages.knowledge.sources import SourcesPage
from rich_agent.features.operator_pages.knowledge.spaces import SpacesPage


@dataclass(frozen=True, slots=True)
class KnowledgePages:
    """All pages on documents."""

    core: Core

    def routes(self) -> Sequence[PageRoute]:
        """The routes of all pages."""
        core, rag = self.core, self.core.databases.rag
        listing, spaces = KnowledgeListing(rag), PostgresSpaceRegistry(rag)
        files, progress = PostgresUploadedFiles(rag), SyncProgressReader(rag)
        registration = source_registration(core)
        fetching = FetchOptions.of(core.settings.documents)
        most_mb = core.settings.documents.max_file_mb
        pages = (
            SourcesPage(listing, registration, spaces, progress, most_mb),
            AddingPages(listing, registration, spaces, files, PostgresConnections(rag), fetching),
            RegisteredSourcePage(listing, registration, spaces, files, progress, core.accounts),
            DocumentPage(listing, PostgresDocumentRights(rag), core.accounts),
            SearchPage(listing, core.open_documents, core.billing, core.accounts),
            SpacesPage(spaces, core.accounts),
        )
        return [route for page in pages for route in page.routes()]
