"""A template → what is wrong with it: one file per kind of question, each a list of small rules."""
