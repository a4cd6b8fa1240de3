"""kumoc: compile what a field knows into proved reasoning benchmarks."""

__version__ = "0.1.0"
