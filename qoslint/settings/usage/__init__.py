"""Readers of measured usage, one module a format."""
