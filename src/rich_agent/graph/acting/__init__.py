"""What a turn does by tools: who asks, what is called, what came of it."""
