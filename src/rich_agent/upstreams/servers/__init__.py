"""Differences between model servers, and clients that adapt to them."""
