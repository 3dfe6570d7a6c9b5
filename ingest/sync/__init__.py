"""Syncs sources: shared rounds of several processes, detection of changes, removal."""
