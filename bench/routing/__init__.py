"""How well turns are routed: utterances labelled in eight languages, and what a planner says."""
