"""Calls of tools, and how those of servers were first seen, as they are stored."""
