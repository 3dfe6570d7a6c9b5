"""Reads and indexes what users of the bot send, with the readers and the index of `ingest`."""
