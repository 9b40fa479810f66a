"""What configures kubelets in a repository: one small reader for each kind of file that does."""
