"""Model servers as they are: one stand-in model behind the wire behaviour of each.

A personality is data: what a server refuses and in which words, how it streams, what it tells. It
is written from the documentation that it names, and knows nothing of who asks.
"""
