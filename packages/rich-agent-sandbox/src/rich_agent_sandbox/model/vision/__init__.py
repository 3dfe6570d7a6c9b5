"""Measurements of an image, computed from its pixels."""
