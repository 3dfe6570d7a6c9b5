"""Evidence that long conversations are remembered by, found among the archived turns."""
