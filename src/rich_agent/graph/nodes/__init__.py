"""The eight nodes, one module each; none imports another."""
