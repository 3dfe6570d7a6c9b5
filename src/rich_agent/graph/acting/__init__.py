"""Acting of a turn by tools: who asks, what is called, what came of it."""
