"""Documents, chunks, terms and vectors as they are stored."""
