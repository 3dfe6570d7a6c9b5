"""Makes the documents of the bench with other programs' writers, in the peers' environment."""
