"""Interfaces to what other programs open: calendars, and what tokens admit them to."""
