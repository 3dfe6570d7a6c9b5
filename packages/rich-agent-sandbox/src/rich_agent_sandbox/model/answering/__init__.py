"""Answers from passages, conversation and courtesy, and checks of answers."""
