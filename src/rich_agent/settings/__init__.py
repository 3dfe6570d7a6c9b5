"""All settings: the name, type, default and check of each."""
