"""The pages of users."""
