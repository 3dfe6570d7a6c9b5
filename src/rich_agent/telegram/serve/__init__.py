"""Workers: who is served when, what an update leads to, what users are told about failures."""
