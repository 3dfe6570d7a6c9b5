"""Model servers over real HTTP, as they differ from each other by their documentation."""
