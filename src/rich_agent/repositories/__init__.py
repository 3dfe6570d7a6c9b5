"""Storage in PostgreSQL, one module per repository, and its twin in memory for unit tests."""
