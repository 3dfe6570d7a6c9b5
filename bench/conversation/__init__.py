"""Conversations as people hold them, in thirteen languages."""
