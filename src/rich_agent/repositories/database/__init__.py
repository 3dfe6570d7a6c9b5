"""The PostgreSQL that all repositories share: pools, schema, fences, the embedded server."""
