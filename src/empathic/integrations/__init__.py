"""Empathic where people work already: one file per tool, found by that tool's own way of adding things."""
