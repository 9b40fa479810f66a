"""Kubernetes' arithmetic: JSON values in, answers out; pure, standard library only."""
