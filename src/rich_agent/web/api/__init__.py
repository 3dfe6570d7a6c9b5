"""Three addresses for programs of one's own: ask, follow, decide."""
