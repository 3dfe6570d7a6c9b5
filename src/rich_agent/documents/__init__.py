"""Documents: fetched, converted to text, cut into chunks, indexed, and read for users."""
