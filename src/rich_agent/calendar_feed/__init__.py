"""Calendars that other programs subscribe to."""
