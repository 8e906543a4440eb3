"""The API as a state machine: requests in any order, right and wrong, and restarts in between.

A model keeps what the server has acknowledged. No request ends in an internal error; whatever is refused changes
nothing; whatever was acknowledged is there after a restart. `table_requests.py` has the requests at tables; here are
those for libraries, the analysis board, lessons, puzzles and lists.
"""

import crowd_requests
import other_addresses
import other_requests
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, rule
from serving import API, bearing, until
from table_requests import GAMES, WRONG, TableRequests

LISTS = ["games", "lessons", "puzzles", "puzzles?day=2026-02-31", "runs", "health", "players", "players?game=pig", "x"]
ANALYSTS = st.sampled_from([None, "greedy", "expectimax:plies=1", "mcts:sims=4", "human", "x"])
NUMBERS = st.integers(0, 10**6)


class Requests(TableRequests):
    libraries, positions = Bundle("libraries"), Bundle("positions")

    # --- libraries: a model keeps the tables of each ---

    def of_library(self, method, code, path="", **more):
        headers = {"Tablier-Library": code, **more.pop("headers", {})}
        return self.client.request(method, f"{API}/library{path}", headers=headers, **more)

    @property
    def kept(self):
        """The tables of each library, by its code."""
        return self.__dict__.setdefault("_kept", {})

    @rule(target=libraries)
    def create_a_library(self):
        code = self.answered(self.client.post(f"{API}/library"), 201)["code"]
        self.kept[code] = set()
        return code

    @rule(code=libraries, table=TableRequests.tables, seat=st.integers(0, 2))
    def put_a_table_into_a_library(self, code, table, seat):
        token = ([*self.tokens[table], "A" * 22])[seat]
        if self.answered(self.of_library("PUT", code, f"/games/{table}", headers=bearing(token))):
            assert code in self.kept
            assert seat < 2
            self.kept[code].add(table)

    @rule(code=libraries, table=TableRequests.tables)
    def remove_a_table_from_a_library(self, code, table):
        answer = self.of_library("DELETE", code, f"/games/{table}")
        if answer.status_code == 204:
            self.kept[code].discard(table)
        else:
            self.refused(answer, 404)

    @rule(code=libraries, table=TableRequests.tables)
    def ask_for_the_figures_of_a_game(self, code, table):
        self.answered(self.of_library("POST", code, f"/games/{table}/analysis"))

    @rule(code=libraries, other=libraries)
    def join_libraries(self, code, other):
        joined = self.answered(self.of_library("POST", code, "/join", json={"code": other}))
        if joined:
            self.kept[other] |= self.kept.pop(code)
            assert joined["games"] == len(self.kept[other])

    @rule(code=libraries | st.sampled_from(["", "x", "A" * 100]), path=st.sampled_from(["", "/export"]))
    def open_a_library(self, code, path):
        found = self.answered(self.of_library("GET", code, path))
        assert (found is None) == (code not in self.kept)
        if found:
            assert {one["table"] for one in found["games"]} == self.kept[code]

    @rule(code=libraries)
    def forget_a_library(self, code):
        answer = self.of_library("DELETE", code)
        assert answer.status_code == (204 if self.kept.pop(code, None) is not None else 404), answer.text

    # --- the analysis board: nothing is stored ---

    def analyse(self, position, what="", **more):
        return self.client.post(f"{API}/analysis{what}", json=position | more)

    @rule(target=positions, game=st.sampled_from(GAMES))
    def start_an_analysis(self, game):
        return {"game": game}

    @rule(target=positions, table=TableRequests.tables)
    def analyse_a_table(self, table):
        return self.answered(self.client.get(f"{API}/tables/{table}/position")) or {"game": "pig"}

    @rule(target=positions, position=positions, steps=st.lists(NUMBERS, max_size=3))
    def play_on_the_analysis_board(self, position, steps):
        for step in steps:
            view = self.answered(self.analyse(position))
            if view is None or view["over"]:
                break
            numbers = [one["outcome"] for one in view["throws"]] or [one["action"] for one in view["legal"]]
            position = position | {"actions": [*position.get("actions", []), numbers[step % len(numbers)]]}
        return position

    @rule(target=positions, position=positions, men=st.dictionaries(st.integers(0, 23), st.integers(-3, 3)), at=NUMBERS)
    def set_up_a_position(self, position, men, at):
        """Moves some men, and chooses another value of a field."""
        view = self.answered(self.analyse(position))
        found = view and view["set_up"]
        if not found:
            return position
        values = {one["name"]: one["value"] for one in found["fields"]}
        for one in found["fields"][at % (len(found["fields"]) + 1) :][:1]:
            values[one["name"]] = one["choices"][at % len(one["choices"])]["value"]
        placed = [men.get(place, man) for place, man in enumerate(found["men"])]
        hand = {"men": placed, "bar": found["bar"] or [0, 0], "values": values}
        return {"game": position["game"], "options": view["options"], "set_up": hand}

    @rule(position=positions, actions=st.lists(WRONG, max_size=3), options=st.dictionaries(st.just("x"), WRONG))
    def analyse_wrongly(self, position, actions, options):
        self.answered(self.analyse(position, actions=actions, options=options))

    @rule(position=positions, player=ANALYSTS)
    def ask_for_candidates(self, position, player):
        self.answered(self.analyse(position, "/candidates", player=player))

    @rule(position=positions, tried=st.lists(st.tuples(st.integers(0, 25), st.none() | st.integers(0, 25)), max_size=4))
    def ask_why_not(self, position, tried):
        self.answered(self.analyse(position, "/why-not", tried=tried))

    @rule(position=positions, lang=st.sampled_from(["en", "fr", "x"]))
    def draw_a_position(self, position, lang):
        self.answered(self.analyse(position, "/picture", lang=lang))

    @rule(position=positions, waits=st.booleans())
    def roll_out(self, position, waits):
        """Waits only for a short game."""
        begun = self.answered(self.analyse(position, "/rollouts", games=36), 201)
        if begun is None:
            return
        address = f"{API}/analysis/rollouts/{begun['id']}"
        if waits and position["game"] == "tic_tac_toe":
            until(lambda: self.client.get(address).json()["state"] == "done")
        assert self.client.post(f"{address}/cancel").json()["state"] in ("done", "cancelled")

    # --- lessons, puzzles, lists ---

    @rule(path=st.sampled_from(LISTS))
    def list_things(self, path):
        answer = self.client.get(f"{API}/{path}")
        assert answer.status_code == 200 or 400 <= answer.status_code < 500, answer.text

    @rule(kind=st.sampled_from(["lessons", "puzzles"]), at=NUMBERS, answer=WRONG, choice=st.none() | NUMBERS)
    def learn(self, kind, at, answer, choice):
        """Gives any answer, or one of those that are possible."""
        games = self.answered(self.client.get(f"{API}/{kind}"))
        game = games[at % len(games)]
        names = [one["name"] for part in game.get("sets", []) for one in part["puzzles"]] or [
            one["name"] for one in game["lessons"]
        ]
        address = f"{API}/{kind}/{game['game']}/{names[at % len(names)]}"
        asked = self.client.get(address)
        assert asked.status_code == 200, asked.text
        puzzle = asked.json()
        possible = [one["value"] for one in puzzle.get("options", [])]
        possible += [one["action"] for one in puzzle.get("view", {}).get("legal", [])]
        if possible and choice is not None:
            answer = possible[choice % len(possible)]
        self.answered(self.client.post(f"{address}/answer", json={"answer": answer}))


Requests.TestCase.settings = settings(
    max_examples=max(6, settings().max_examples // 16), stateful_step_count=20, suppress_health_check=list(HealthCheck)
)
TestRequests = Requests.TestCase


TOURS = [*other_requests.TOURS, *crowd_requests.TOURS, *other_addresses.TOURS]


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.__name__)
def test_rare_requests(tour, tmp_path, monkeypatch):
    tour(tmp_path, monkeypatch)
