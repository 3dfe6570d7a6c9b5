"""AG-UI: runs and their events, and conversations with their messages."""
