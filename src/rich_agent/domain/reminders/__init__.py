"""Reminders, and what becomes of one that is due."""
