"""Networks: torch modules, and how they are asked while they learn."""
