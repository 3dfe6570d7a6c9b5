"""Files that users sent: read, chosen, put before the model, told about."""
