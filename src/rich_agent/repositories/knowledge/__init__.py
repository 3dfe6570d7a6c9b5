"""The registered documents: search, rights, and the catalogue of sources."""
