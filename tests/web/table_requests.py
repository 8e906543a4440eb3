"""The part of the API's state machine that begins tables and plays at them (test_state_machine.py)."""

import asyncio
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from serving import API, act, bearing, look, server, until

GAMES = ("tic_tac_toe", "pig", "trictrac", "backgammon")
WRONG = st.sampled_from([-1, 0, 1, 7, 515, 10**6, 2**31, 2**63, 1.5, "3", None, True, [], {}])
SEATS = st.lists(st.text(max_size=9), max_size=9)
OPTIONS = st.dictionaries(st.sampled_from(["win_score", "schools", "x"]), WRONG, max_size=2)
LOST = ["tables/" + "A" * 22, "tables/x", "tables/../../etc", "runs/x/metrics?names=a", "nothing"]
METHODS = ["GET", "POST", "PUT", "DELETE"]
GESTURES = ["resign", "takeback", "say", "name", "tutor", "rematch", "dance"]
OPPONENTS = ["random", "greedy", "heuristic", "mcts:sims=4", "level:n=1"]
FORMS = ["text", "json", "sgf", "mat", "nothing"]


class TableRequests(RuleBasedStateMachine):
    tables = Bundle("tables")

    @initialize()
    def start(self):
        self.folder = Path(tempfile.mkdtemp())
        self.versions, self.tokens = {}, {}
        self._serve()

    def _serve(self):
        self.stack = ExitStack()
        self.client = self.stack.enter_context(server(self.folder, think=0.02))

    def teardown(self):
        if hasattr(self, "stack"):
            self.stack.close()
            shutil.rmtree(self.folder)

    def refused(self, answer, *statuses):
        assert answer.status_code in (statuses or range(400, 500)), answer.text
        assert answer.json()["detail"], "a refusal says why"

    def answered(self, answer, status=200):
        """Returns the content of an answer; None if it is a refusal, which says why."""
        if answer.status_code != status:
            return self.refused(answer)
        return answer.json()

    @rule(target=tables, game=st.sampled_from(GAMES), tutor=st.booleans(), seconds=st.sampled_from([None, 36_000]))
    def begin(self, game, tutor, seconds):
        clock = seconds and {"base": seconds, "increment": 1}
        table = {"game": game, "seats": ["human"] * 2, "tutor": tutor, "clock": clock}
        answer = self.client.post(f"{API}/tables", json=table)
        assert answer.status_code == 201, answer.text
        begun = answer.json()
        table = begun["table"]
        self.versions[table], self.tokens[table] = begun["view"]["version"], begun["tokens"]
        return table

    @rule(game=st.sampled_from([*GAMES, "chess", "", "x" * 65]), seats=SEATS, options=OPTIONS)
    def begin_wrongly(self, game, seats, options):
        answer = self.client.post(f"{API}/tables", json={"game": game, "seats": seats, "options": options})
        if answer.status_code != 201:  # rarely, the text is a player
            self.refused(answer)

    @rule(game=st.sampled_from(GAMES), player=st.sampled_from(OPPONENTS))
    def play_against_a_program(self, game, player):
        begun = self.answered(self.client.post(f"{API}/tables", json={"game": game, "seats": ["human", player]}), 201)
        if begun is None:  # not all players play all games
            return
        table, tokens = begun["table"], begun["tokens"]

        def my_turn():
            view = look(self.client, table, tokens[0])
            return view if view["over"] or view["legal"] else None

        view = until(my_turn)
        assert act(self.client, table, tokens[0], view["legal"][0]["action"], view["version"]).status_code == 200

    @rule(table=tables, choice=st.integers(0, 10**6))
    def play(self, table, choice):
        both = ",".join(self.tokens[table])
        view = look(self.client, table, both)
        if view["over"]:
            return
        legal = [one["action"] for one in view["legal"]]
        answer = act(self.client, table, both, legal[choice % len(legal)], view["version"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] > self.versions[table]
        self.versions[table] = answer.json()["version"]

    @rule(table=tables, action=WRONG, version=WRONG, seat=st.integers(0, 2))
    def play_wrongly(self, table, action, version, seat):
        """Without the right version, nothing can be played, whatever the action and the token are."""
        token = ([*self.tokens[table], None])[seat]
        if version == self.versions[table]:
            version = self.versions[table] + 1
        self.refused(act(self.client, table, token, action, version))

    @rule(table=tables, other=tables)
    def play_with_the_token_of_another_table(self, table, other):
        if table != other:
            self.refused(
                act(self.client, table, ",".join(self.tokens[other]), 0, self.versions[table]), 401, 403, 409, 422
            )

    @rule(table=tables, at=WRONG)
    def look_back(self, table, at):
        answer = self.client.get(f"{API}/tables/{table}", params={"at": at})
        if answer.status_code == 200:
            assert at in (None, True, "3", [], {}) or at <= self.versions[table]
        else:
            self.refused(answer, 422)

    @rule(
        table=tables,
        seat=st.integers(0, 2),
        kind=st.sampled_from(GESTURES),
        value=st.sampled_from(["", "Hello", "x" * 41, "\x00"]),
        wrong=WRONG,
        is_right=st.booleans(),
    )
    def gesture(self, table, seat, kind, value, wrong, is_right):
        token = ([*self.tokens[table], None])[seat]
        self._gesture(table, token, kind, value, self.versions[table] if is_right else wrong)

    def _gesture(self, table, token, kind, value, version):
        body = {"kind": kind, "value": value, "version": version}
        answer = self.client.post(f"{API}/tables/{table}/gestures", json=body, headers=bearing(token))
        if answer.status_code == 200:
            self.versions[table] = answer.json()["version"]
        else:
            self.refused(answer)

    @rule(table=tables, times=st.integers(1, 12))
    def chatter(self, table, times):
        """Says more than is allowed at once."""
        for _ in range(times):
            self._gesture(table, self.tokens[table][0], "say", "hello", self.versions[table])

    @rule(table=tables, asked=st.sampled_from(["dice", "exercise", "position"]), at=WRONG | st.integers(0, 12))
    def look_at(self, table, asked, at):
        self.answered(self.client.get(f"{API}/tables/{table}/{asked}", params={"at": at}))

    @rule(table=tables, at=st.none() | st.integers(0, 30), player=st.sampled_from([*OPPONENTS, "human", "x"]))
    def ask_for_a_hint(self, table, at, player):
        self.answered(self.client.post(f"{API}/tables/{table}/hint", json={"player": player, "at": at}))

    @rule(table=tables, times=st.integers(2, 12), asked=st.sampled_from(["hint", "review"]))
    def ask_all_at_once(self, table, times, asked):
        """More requests than the server thinks about at a time wait for their turn."""

        async def ask():
            address, body = f"{API}/tables/{table}/{asked}", {"player": "greedy"} if asked == "hint" else None
            return await asyncio.gather(*(self.client.asked.post(address, json=body) for _ in range(times)))

        for answer in self.client.wait(ask()):
            self.answered(answer)

    @rule(table=tables, waits=st.booleans())
    def ask_for_a_review(self, table, waits):
        """Waits only at a short game, which is soon reviewed."""
        told = self.answered(self.client.post(f"{API}/tables/{table}/review"))
        if told and waits and self.versions[table] < 10:
            until(lambda: self.client.post(f"{API}/tables/{table}/review").json()["state"] != "working")

    @rule(table=tables, form=st.sampled_from(FORMS))
    def send_the_record_back(self, table, form):
        record = self.client.get(f"{API}/tables/{table}/record", params={"format": form})
        if record.status_code != 200:
            return self.refused(record)
        answer = self.client.post(f"{API}/records", content=record.content)
        assert answer.status_code == 201, answer.text
        return None

    @rule(data=st.binary(max_size=60))
    def send_a_wrong_record(self, data):
        self.refused(self.client.post(f"{API}/records", content=data))

    @rule(path=st.sampled_from(LOST), method=st.sampled_from(METHODS), body=st.binary(max_size=20))
    def get_lost(self, path, method, body):
        answer = self.client.request(method, f"{API}/{path}", content=body)
        assert 400 <= answer.status_code < 500, answer.text

    @rule()
    def restart(self):
        self.stack.close()
        self._serve()

    @invariant()
    def nothing_is_lost(self):
        for table, version in getattr(self, "versions", {}).items():
            view = self.client.get(f"{API}/tables/{table}", headers=bearing(self.tokens[table][0])).json()
            assert view["version"] == version
