"""Writes an answer from its material, and checks it against that material."""
