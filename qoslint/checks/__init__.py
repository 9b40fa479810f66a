"""The checks: one module a rule, named as its page."""
