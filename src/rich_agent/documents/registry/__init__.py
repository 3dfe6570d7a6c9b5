"""The registered sources: added, changed and removed, read when they are due, and by whom."""
