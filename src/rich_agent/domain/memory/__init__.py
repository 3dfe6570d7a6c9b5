"""The memory of a user: its items, how they are merged and recalled, and what is never kept."""
