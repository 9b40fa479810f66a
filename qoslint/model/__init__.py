"""What objects mean: workloads, clusters, effective pods, verdicts."""
