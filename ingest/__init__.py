"""Registers sources and keeps the documents, chunks and embeddings that the bot answers from."""
