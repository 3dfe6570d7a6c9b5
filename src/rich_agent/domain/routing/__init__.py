"""How a turn is answered: intent, plan, small talk, questions back."""
