"""Sources: what can be registered, and the registry."""
