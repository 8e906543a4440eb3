"""Terminal output and interaction shared by the commands."""
