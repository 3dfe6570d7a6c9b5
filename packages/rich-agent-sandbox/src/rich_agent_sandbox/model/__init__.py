"""A stand-in for a language model: listed turns, rules and quotations, and honest about it.

Knows no HTTP.
"""
