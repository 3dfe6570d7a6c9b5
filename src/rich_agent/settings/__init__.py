"""Every setting: its name, type, default and check."""
