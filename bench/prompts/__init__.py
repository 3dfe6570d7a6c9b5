"""Prompts of a conversation as a model server receives them: their tokens, and what they share."""
