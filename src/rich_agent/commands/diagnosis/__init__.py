"""Checks of models and settings by `rich-agent doctor` and `rich-agent setup`."""
