"""Connections to task lists on CalDAV servers: commands, conflicts, failures."""
