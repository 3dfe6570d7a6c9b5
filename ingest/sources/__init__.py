"""What can be registered, and the registry."""
