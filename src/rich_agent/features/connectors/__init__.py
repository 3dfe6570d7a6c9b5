"""Reads documents from services: a folder for each kind of them."""
