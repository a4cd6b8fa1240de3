"""The entry point of ``kumoc`` and ``python -m kumoc``."""

import sys


def main() -> None:
    """Run the command line; also an interruption while it loads ends without a traceback."""
    try:
        from kumoc.cli import main as run  # noqa: PLC0415 - loading takes long enough to be interrupted

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
