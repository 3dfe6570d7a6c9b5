"""Servers of tools over the Model Context Protocol; loaded only when some are configured."""
