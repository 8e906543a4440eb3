"""The HTTP layer: the application, the API endpoints and the static files."""
