"""Evaluation of answers: what is expected of them, how they are marked, and how sure that is."""
