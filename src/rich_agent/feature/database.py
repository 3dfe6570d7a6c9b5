"""The base of repositories, and text as PostgreSQL can store it."""

from rich_agent.domain.text import clean_text as clean_text
from rich_agent.repositories.database.pools import Pool as Pool
from rich_agent.repositories.database.repository import PostgresRepository as PostgresRepository
