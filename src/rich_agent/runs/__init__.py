"""Turns that are requested over HTTP: stored, performed by a worker, followed by clients."""
