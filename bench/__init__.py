"""Benchmarks, one command each, beside their peers where there are any."""
