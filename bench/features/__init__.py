"""Benches of features, a folder each."""
