"""The stored turns: checkpoints, transcript, decisions and archive."""
