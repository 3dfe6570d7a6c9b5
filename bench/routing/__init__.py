"""How well turns are routed: labelled utterances, and what a planner or the rules make of them."""
