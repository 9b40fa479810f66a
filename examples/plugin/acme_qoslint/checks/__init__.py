"""The checks of the rules, one module each."""
