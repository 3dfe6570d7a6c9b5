"""Usage of models: what their calls use, how much a user may use, and what it costs."""
