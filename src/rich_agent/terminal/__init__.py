"""The terminal: what is printed, how commands are parsed, and a conversation."""
