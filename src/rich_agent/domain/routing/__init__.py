"""Routing of a turn: intent, plan, small talk, and questions to the user."""
