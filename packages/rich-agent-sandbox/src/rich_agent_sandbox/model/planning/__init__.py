"""Planning: what a message wants, and what to search for."""
