"""What a turn remembers, finds again, learns and forgets."""
