"""Updates come in: webhook or polling, stored raw, read as what they mean."""
