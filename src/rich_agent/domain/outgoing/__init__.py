"""Texts that a call sends: which words and addresses may leave unasked while others speak."""
