"""Ratings and scores become estimates: every number with its method, n, df, interval and signature."""
