"""Measurements: `tablier bench`. One file a subject; timing.py holds what they share."""
