"""Commands and buttons, answered at once and without a model; one module for each purpose."""
