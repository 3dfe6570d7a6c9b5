"""Servers of tools over MCP, as processes of their own: an office, and a hostile bank."""
