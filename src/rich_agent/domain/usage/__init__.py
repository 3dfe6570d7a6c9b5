"""What calls of models use, how much a user may use, and what it costs."""
