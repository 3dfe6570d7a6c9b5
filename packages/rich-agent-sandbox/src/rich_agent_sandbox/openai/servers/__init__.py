"""Real model servers: the stand-in model behind the wire behaviour of each.

A personality is data: what a server refuses and in which words, how it streams, what it reports. It
is written from the documentation that it names, and does not depend on the caller.
"""
