"""Converts PDF files to titles and sections, as far as a person sees their content."""
