"""Memory of a user: what is kept, merged, recalled, never kept."""
