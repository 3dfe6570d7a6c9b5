"""Approval cards: the calls that a user is shown before they are made."""
