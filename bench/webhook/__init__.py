"""The webhook and its inbox under load, compared with peers."""
