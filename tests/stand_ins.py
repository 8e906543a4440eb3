"""Programs that stand in for others: for compilers and for GNU Backgammon."""


def stand_in(path, code, interpreter="/bin/sh"):
    """Writes a script that can be run as a program, and returns its path."""
    path.write_text(f"#!{interpreter}\n{code}\n")
    path.chmod(0o755)
    return path
