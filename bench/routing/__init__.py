"""Quality of routing: labelled utterances in eight languages, compared with a planner."""
