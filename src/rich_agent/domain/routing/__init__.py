"""Routing of a turn: intent, plan, small talk, questions back."""
