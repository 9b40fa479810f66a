"""The settings of a run: found, read, validated."""
