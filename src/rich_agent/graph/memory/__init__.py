"""Memory of a turn: what it remembers, finds again, learns and forgets."""
