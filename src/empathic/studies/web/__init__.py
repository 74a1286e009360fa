"""Browsers meet the study: server-rendered pages, a small JSON interface, the worker that runs the bots."""
