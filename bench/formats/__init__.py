"""Readers of documents side by side, with what other programs show of them as the truth."""
