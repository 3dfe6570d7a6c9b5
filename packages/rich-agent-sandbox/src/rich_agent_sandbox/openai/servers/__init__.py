"""A model server: the stand-in model behind the wire behaviour that a personality describes.

A personality is data: what a server refuses and in which words, how it streams, what it reports.
"""
