"""One file per algorithm, named as `tablier train` calls it."""
