"""Tables of files, loaded into a DuckDB database. The library takes a while to load."""

from rich_agent.documents.tables.engine import loaded_tables as loaded_tables
