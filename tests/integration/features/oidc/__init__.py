"""Signing in with a provider of OpenID Connect, against one that is hostile."""
