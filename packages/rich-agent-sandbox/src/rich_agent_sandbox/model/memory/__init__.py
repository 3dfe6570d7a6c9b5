"""Memory: what to remember, and what to forget."""
