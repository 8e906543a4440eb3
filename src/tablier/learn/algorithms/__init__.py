"""One file per algorithm, named after its `tablier train` argument."""
