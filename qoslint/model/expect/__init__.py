"""Expectations: what somebody wants pods to be, and whether that holds."""
