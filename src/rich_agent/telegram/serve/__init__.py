"""Workers: who is served when, what an update leads to, what failures are told."""
