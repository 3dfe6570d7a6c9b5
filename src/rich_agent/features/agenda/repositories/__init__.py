"""Plans and notes of users, in PostgreSQL. Each statement names its user."""
