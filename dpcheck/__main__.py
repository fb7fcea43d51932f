"""``python -m dpcheck``: the command line."""

from dpcheck.cli import main

if __name__ == "__main__":
    main()
