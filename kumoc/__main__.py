"""``python -m kumoc``."""

from kumoc.cli import main

main()
