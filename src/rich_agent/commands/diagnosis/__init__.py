"""What `rich-agent doctor` and `rich-agent setup` find out about models and settings."""
