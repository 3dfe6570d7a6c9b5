"""Commands and buttons: answered at once, without any model; one module for each purpose."""
