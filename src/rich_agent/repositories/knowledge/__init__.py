"""The registered documents: retrieval, and lists of what there is."""
