"""The web server and its page. Needs `pip install 'tablier[web]'`.

docs/architecture.md lists the modules in order of dependency.
"""
