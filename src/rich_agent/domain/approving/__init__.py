"""Approval: which words of a call are the user's own, and the cards that show calls."""
