"""`python -m gistmark` is the command line."""

from gistmark.cli.main import main

if __name__ == "__main__":
    main()
