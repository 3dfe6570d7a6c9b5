"""Answers as Telegram messages: text with entities, sources, only links that are allowed."""
