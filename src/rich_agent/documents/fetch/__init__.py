"""Fetches documents from the web and from folders, within limits."""
