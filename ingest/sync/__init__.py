"""Syncs sources: ownership, detection of changes, storing, removal."""
