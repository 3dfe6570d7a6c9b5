"""Signing in with a provider that others wrote: npm's oidc-provider."""
