"""The web board: a server that keeps games, and the page that shows them. Needs `pip install 'tablier[web]'`.

What is in which file, in order of dependency: docs/architecture.md.
"""
