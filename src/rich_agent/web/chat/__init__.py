"""The web chat: its files, signing in, and what was said before."""
