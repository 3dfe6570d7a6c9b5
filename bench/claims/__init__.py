"""Whether false answers are caught, and true ones left alone: see `__main__`."""
