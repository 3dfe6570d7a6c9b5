"""What lets a program or a browser in as a user."""
