"""Usage that was measured, and whose pods it is."""
