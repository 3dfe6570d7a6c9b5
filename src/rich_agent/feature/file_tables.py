"""Tables of files in a database of DuckDB, which takes a while to load."""

from rich_agent.documents.tables.engine import loaded_tables as loaded_tables
