"""Turns on a model server that answers one request at a time and keeps its last prompt only."""
