"""What the API server refuses: one module for each group of Kubernetes' validation functions."""
