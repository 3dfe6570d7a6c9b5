"""The record of turns: checkpoints, transcript, decisions, archive."""
