"""Storage in PostgreSQL, one module for each subject."""
