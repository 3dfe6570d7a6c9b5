"""How well turns are routed: labelled utterances in eight languages, compared with a planner."""
