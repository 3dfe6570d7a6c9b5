"""The tool calls of a turn: who asks for them, what is called, and what came of it."""
