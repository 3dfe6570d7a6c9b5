"""Answers as Telegram messages: text with entities, sources, and only allowed links."""
