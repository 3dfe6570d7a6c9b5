"""Stores documents, chunks, terms and vectors."""
