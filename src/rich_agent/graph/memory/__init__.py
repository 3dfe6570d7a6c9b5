"""The memory of a turn: it recalls, searches, learns and forgets."""
