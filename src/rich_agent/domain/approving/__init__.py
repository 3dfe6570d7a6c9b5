"""Approval: which words are the user's own, and the cards of calls that they are shown first."""
