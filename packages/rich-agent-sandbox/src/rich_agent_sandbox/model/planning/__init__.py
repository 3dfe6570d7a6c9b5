"""What a message wants, and what to search for."""
