"""The page Knowledge: sources, spaces, documents, and who may read them."""
