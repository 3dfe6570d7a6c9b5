"""Safety of the whole program with a model that obeys everybody: AgentDojo's data, and attacks."""
