"""Registers sources, and syncs the documents, chunks and vectors that the bot answers from."""
