"""The nodes, one module each; none imports another."""
