"""The panels of the agenda: a user's day, tasks and notes."""
