"""Pig: its picture."""
