"""The webhook and the inbox behind it under load, beside its peers."""
