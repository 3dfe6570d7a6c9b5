"""How well retrieval works: test collections, figures, the threshold of weak evidence."""
