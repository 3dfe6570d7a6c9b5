"""Keeps users' tasks and their task lists on CalDAV servers alike. Needs the extra `calendar`."""
