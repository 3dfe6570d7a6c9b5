"""Clients of the upstreams; they translate protocols and errors, and decide nothing."""
