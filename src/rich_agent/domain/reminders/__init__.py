"""Reminders: when they are due on the user's clock, and what becomes of one that is."""
