"""Retrieval at 10 thousand to a million chunks."""
