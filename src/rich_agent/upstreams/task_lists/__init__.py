"""Task lists on CalDAV servers, over guarded connections."""
