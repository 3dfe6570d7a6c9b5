"""What is remembered of a user: what is kept, merged, recalled, never kept."""
