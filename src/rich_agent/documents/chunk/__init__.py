"""Cuts sections into chunks, and makes the links that open them."""
