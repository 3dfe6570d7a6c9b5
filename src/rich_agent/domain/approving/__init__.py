"""What a user is shown before something is done for them."""
