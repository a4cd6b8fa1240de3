"""The documentation, and the scripts that make parts of it."""
