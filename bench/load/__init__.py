"""Crowds of users in conversation, on the bot and on a bare graph."""
