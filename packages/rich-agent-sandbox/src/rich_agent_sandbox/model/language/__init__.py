"""Words, days and meanings, in a dozen languages."""
