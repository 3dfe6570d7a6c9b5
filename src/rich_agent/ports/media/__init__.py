"""Interfaces for what users send besides words."""
