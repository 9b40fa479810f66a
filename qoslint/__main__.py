"""`python -m qoslint`."""

from qoslint.cli.main import main

if __name__ == "__main__":
    main()
