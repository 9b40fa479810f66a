"""Plugins: what can be added to qoslint, which is what it ships itself as well."""
