"""Kustomizations: what they read, what they build to, and where each built field is authored."""
