"""Text with entities, as Telegram marks, parses and cleans it."""
