"""Recordings of the sandbox: what was said stands in them as a comment, because nothing listens."""
