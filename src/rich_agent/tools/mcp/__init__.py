"""Tools of servers that the operator configured: nothing that a server says is taken on trust."""
