"""Plans and notes of users in PostgreSQL. Each statement is restricted to one user."""
