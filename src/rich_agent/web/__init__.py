"""HTTP for other programs: who is admitted, and what they may ask for."""
