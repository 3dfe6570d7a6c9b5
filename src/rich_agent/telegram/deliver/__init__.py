"""Answers go out: placeholder, edits, parts, within the flood limits."""
