"""Measures retrieval: test collections, metrics, the threshold of weak evidence."""
