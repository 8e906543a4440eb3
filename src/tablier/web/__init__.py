"""The web board: a server that keeps games, and the page that shows them. Needs `pip install 'tablier[web]'`.

In order of dependency: `words` (texts in two languages), `steps` (a move of Trictrac step by step), `trictrac` and
`scene` (what is seen of a game), `store` (SQLite), `limits` and `players` (what clients may ask for), `think` (who
thinks, and how long), `tables` (games in progress), `review`, `records`, `runs`, `models` (bodies and answers of the
API), `guard` (what is refused before it is read), `app` (the routes). The page is in `static/`.
"""
