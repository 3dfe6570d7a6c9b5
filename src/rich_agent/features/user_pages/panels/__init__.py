"""The panels of what the core keeps: files, memory, language and time zone."""
