"""Texts that a call sends: words and addresses that may leave unasked next to foreign texts."""
