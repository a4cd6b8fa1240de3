"""Figures of the documentation, drawn from data of the project."""
