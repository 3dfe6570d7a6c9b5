"""Task lists on CalDAV servers, in PostgreSQL."""
