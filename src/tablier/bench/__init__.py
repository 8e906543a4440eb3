"""Benchmarks, run by `tablier bench`: one file per subject, on top of timing.py."""
