"""A sync: rounds shared by processes, what changed, what is removed."""
