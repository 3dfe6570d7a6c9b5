"""The graph of a turn: its state, its nodes, and the road between them."""
