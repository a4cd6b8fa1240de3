"""Figures from trajectories: metrics, intervals, comparisons, statistics, plots and a report."""
