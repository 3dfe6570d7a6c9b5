"""A stand-in for a language model: rules, quotations and arithmetic, and honest about it.

Knows no HTTP.
"""
