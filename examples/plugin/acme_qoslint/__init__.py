"""What Acme adds to qoslint."""
