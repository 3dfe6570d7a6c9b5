"""What to remember, and what to forget."""
