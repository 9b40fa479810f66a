"""Argo CD: what Applications and ApplicationSets deploy."""
