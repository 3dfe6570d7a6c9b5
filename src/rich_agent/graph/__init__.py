"""The graph of a turn: its state, its nodes, and the edges between them."""
