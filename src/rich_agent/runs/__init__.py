"""Turns that are asked for over HTTP: stored, done by a worker, followed by whoever asked."""
