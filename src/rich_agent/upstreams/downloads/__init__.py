"""Downloads of models by the servers of this machine, each by its own documented API."""
