"""What users choose for themselves: the language of menus, and which answers are spoken."""
