"""The registered documents: retrieval, and what there is."""
