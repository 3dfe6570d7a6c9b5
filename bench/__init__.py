"""Benchmarks, one command each, compared with peers where there are any."""
