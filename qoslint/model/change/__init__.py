"""Changes: what becomes of every workload at one revision and at another, and what made it so."""
