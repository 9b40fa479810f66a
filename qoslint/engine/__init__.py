"""The engine: pages, selection, running rules, findings at lines."""
