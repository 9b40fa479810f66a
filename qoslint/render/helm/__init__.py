"""Charts: rendered as Helm does, and what is rendered led back to where it is authored."""
