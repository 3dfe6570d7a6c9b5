"""What a turn makes of files that users sent: read, chosen, put before the model, told about."""
