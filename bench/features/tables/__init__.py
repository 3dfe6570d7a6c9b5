"""Queries over tables: how long they take."""
