"""What users plan and note, in PostgreSQL. Each statement names its user."""
