"""Readers, tables, pages and the index for files that users send."""

from collections.abc import Sequence

from rich_agent.composition.repositories import Repositories
from rich_agent.documents.user_files.computing import IsolatedTables
from rich_agent.documents.user_files.indexing import PrivateIndex
from rich_agent.documents.user_files.pages import GuardedPages
from rich_agent.documents.user_files.reading import IsolatedFileReader
from rich_agent.domain.intranet import Intranet
from rich_agent.ports.models import EmbeddingModel
from rich_agent.ports.user_files import FileIndex, FileReader, Pages, TableEngine


def make_file_reader() -> FileReader:
    """Make the reader of files of strangers."""
    return IsolatedFileReader()


def make_table_engine() -> TableEngine:
    """Make the engine that computes over their tables."""
    return IsolatedTables()


def make_file_index(repositories: Repositories, model: EmbeddingModel | None) -> FileIndex:
    """Make the index that makes them searchable; without a model, by words."""
    return PrivateIndex(repositories.databases.rag, model)


def make_pages(private_hosts: Sequence[str]) -> Pages:
    """Make the client that fetches the pages that users name."""
    return GuardedPages(Intranet.parse(private_hosts))
