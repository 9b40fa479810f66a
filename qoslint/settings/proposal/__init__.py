"""Settings that `qoslint init` proposes: from what the files of a repository say, and no more."""
