"""Alembic environment of the tree of documents and decisions."""

from rich_agent.repositories.database.migration import run_environment
from rich_agent.repositories.database.schema import RAG
from rich_agent.settings.settings import Settings


def _url() -> str | None:
    settings = Settings.load()
    return settings.storage.rag_database_url or settings.storage.database_url


run_environment(RAG, _url)
