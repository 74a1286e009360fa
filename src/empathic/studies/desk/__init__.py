"""The researcher's desk: who may sit at it, and what the database tells there."""
