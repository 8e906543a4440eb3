"""Requests and answers: the application, its operations, its files."""
