"""The operator's pages: how well questions are grouped."""
