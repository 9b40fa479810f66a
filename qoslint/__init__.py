"""qoslint: which QoS class each pod really gets, what is killed first, and why."""

__version__ = "0.1.0"
