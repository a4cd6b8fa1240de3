"""Prove, from its files alone, that a release is what it says: nothing in it is trusted, and nothing is executed."""

from kumoc.release.verify.release import verify
from kumoc.release.verify.report import FileReport, Finding, Report

__all__ = ["FileReport", "Finding", "Report", "verify"]
