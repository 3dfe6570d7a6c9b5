"""Answers: citations, grounding, and the trace of how they came about."""
