"""Lists of questions that clubs, schools and libraries are asked, in three languages."""
