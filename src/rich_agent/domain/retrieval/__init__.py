"""Passages, and how they are ranked."""
