"""Credentials that let a program or a browser in as a user."""
