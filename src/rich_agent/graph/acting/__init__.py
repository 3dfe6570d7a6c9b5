"""The tool calls of a turn: their proposals, their execution, and their results."""
