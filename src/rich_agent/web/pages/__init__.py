"""Pages for people who are signed in: HTML from the server, which works without JavaScript."""
