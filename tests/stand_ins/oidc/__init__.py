"""A provider of OpenID Connect that says what a test has it say, signed by joserfc."""
