"""Flux: what Kustomizations and HelmReleases deploy."""
