"""Signing in with a provider of OpenID Connect: settings and checks."""
