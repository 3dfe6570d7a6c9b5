"""Separation of the content of web pages from their boilerplate."""
