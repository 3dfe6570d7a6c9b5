"""Choices that users make for themselves: the language of menus, and which answers are spoken."""
