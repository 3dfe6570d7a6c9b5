"""AG-UI: runs and their events, and conversations with what was said in them."""
