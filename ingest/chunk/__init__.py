"""Sections to chunks, and the links that open them."""
