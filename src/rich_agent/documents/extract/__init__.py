"""Converts documents of any format to titles and sections."""
