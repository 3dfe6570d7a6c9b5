"""Answers: their citations, their grounding, and the trace of the nodes that wrote them."""
