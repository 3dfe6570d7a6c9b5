"""Texts that a call sends: words and addresses that may leave unasked despite untrusted texts."""
