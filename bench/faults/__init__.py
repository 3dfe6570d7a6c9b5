"""Faults, one command each: processes, databases and upstreams fail while users write."""
