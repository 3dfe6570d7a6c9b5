"""Draws pictures of what the user has planned. Knows no chats and no database."""
