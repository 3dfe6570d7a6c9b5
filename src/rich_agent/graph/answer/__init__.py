"""Writing an answer from its material, and checking it against that."""
