"""Data of the operator's pages, read from the databases."""
