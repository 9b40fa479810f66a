"""Revisions of the repository: what Git holds, read without a work tree, hooks or filters."""
