"""A crowd does not lock others out: limits hold for addresses and networks, and known players have a reserve."""

import asyncio
import json
import threading
from ipaddress import ip_network

import pytest
from serving import (
    API,
    ELSEWHERE,
    HERE,
    NEIGHBOUR,
    PROXY,
    act,
    bearing,
    begin,
    new_table,
    play_out,
    sent_by,
    server,
    told,
    until,
)

from tablier.web.service import library, review, rollouts
from tablier.web.service.clients import NOBODY, client_of, network_of
from tablier.web.service.limits import Limits, Shares

# --- who sends a request ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.1", "203.0.113.1", "203.0.113.1"),
        ("10.0.0.1", "192.0.2.1, 203.0.113.1", "203.0.113.1"),  # the client wrote the first one itself
        ("10.0.0.1", "203.0.113.1, 10.0.0.2", "203.0.113.1"),  # two proxies in a row
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("::ffff:10.0.0.1", "203.0.113.1", "203.0.113.1"),
        ("192.0.2.1", "203.0.113.1", "192.0.2.1"),  # not a proxy
    ],
)
def test_a_header_counts_only_from_a_proxy(peer, forwarded, address):
    assert client_of(peer, forwarded, (ip_network("10.0.0.0/24"),)).address == address


def test_networks():
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::9") != network_of("2001:db8:1:3::9")
    assert network_of("203.0.113.1") == network_of("::ffff:203.0.113.254") != network_of("203.0.114.1")


def test_without_a_named_proxy_the_header_is_ignored(tmp_path):
    with server(tmp_path, burst=1, refill=0.0) as client:
        assert new_table(client, HERE).status_code == 201
        assert told(new_table(client, ELSEWHERE)) == (429, "tables.too_fast")


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("addresses", ["203.0.113.{}", "2001:db8:1:2::{}"])
def test_many_addresses_of_a_network_do_not_begin_more_tables(tmp_path, addresses):
    with server(tmp_path, PROXY, burst=1, refill=0.0, network=3) as client:
        answers = [new_table(client, addresses.format(n)).status_code for n in range(1, 6)]
        assert answers == [201, 201, 201, 429, 429]
        assert new_table(client, ELSEWHERE).status_code == 201


def test_a_network_has_so_many_unfinished_tables_and_no_more(tmp_path):
    with server(tmp_path, PROXY, tables_of_address=2, network=2) as client:
        body = {"game": "tic_tac_toe", "seats": ["human", "human"]}
        begun = [new_table(client, HERE, body).json() for _ in range(2)]
        assert told(new_table(client, HERE)) == (429, "tables.too_many_from_you")
        assert [new_table(client, NEIGHBOUR).status_code for _ in range(3)] == [201, 201, 429]
        assert new_table(client, ELSEWHERE).status_code == 201
        play_out(client, begun[0]["table"], begun[0]["tokens"], lambda view: view["legal"][0]["action"])
        assert new_table(client, HERE).status_code == 201  # a finished game makes room


def vouching(tid, token):
    return {"Tablier-Table": tid, "Authorization": f"Bearer {token}"}


def test_a_crowd_of_strangers_leaves_a_reserve_for_known_players(tmp_path):
    with server(tmp_path, PROXY, tables=3, reserve=1.0, known=0.0) as client:
        mine = new_table(client, HERE).json()
        seat = vouching(mine["table"], mine["tokens"][0])
        crowd = [new_table(client, f"198.51.{n}.1").status_code for n in range(4)]
        assert crowd == [201, 201, 429, 429]
        for wrong in ({}, vouching(mine["table"], "x"), vouching("a" * 22, mine["tokens"][0]), vouching("x", "y")):
            assert told(new_table(client, HERE, **wrong)) == (429, "tables.too_many")
        assert new_table(client, HERE, **seat).status_code == 201
        record = b'{"game": "tic_tac_toe", "options": {}, "actions": [0]}'
        assert client.post(f"{API}/records", content=record).status_code == 429
        assert client.post(f"{API}/records", content=record, headers=seat).status_code == 201


def test_a_new_table_makes_nobody_known(tmp_path):
    with server(tmp_path, PROXY, tables=1, reserve=1.0) as client:
        mine = new_table(client, HERE).json()
        assert told(new_table(client, HERE, **vouching(mine["table"], mine["tokens"][0]))) == (429, "tables.too_many")


def test_a_seat_vouches_for_a_few_tables_only(tmp_path):
    with server(tmp_path, PROXY, tables=1, reserve=100.0, known=0.0) as client:
        mine = new_table(client, HERE).json()
        seat = vouching(mine["table"], mine["tokens"][0])
        assert [new_table(client, HERE, **seat).status_code for _ in range(7)] == [201] * 5 + [429] * 2


# --- work -------------------------------------------------------------------------------------------------------------


def test_reads_are_limited_by_address_and_network(tmp_path):
    with server(tmp_path, PROXY, work=0.0, work_burst=4.0, network=2) as client:
        ask = lambda address, path="health": client.get(f"{API}/{path}", headers=sent_by(address))  # noqa: E731
        assert [ask(HERE).status_code for _ in range(3)] == [200, 200, 429]
        answer = ask(HERE)
        assert told(answer) == (429, "server.too_fast")
        assert answer.headers["Retry-After"]
        assert [ask(NEIGHBOUR).status_code for _ in range(3)] == [200, 200, 429]
        assert ask("203.0.113.3").status_code == 429  # their network has used it up
        assert ask(ELSEWHERE).status_code == 200


def test_this_machine_reads_as_it_likes(tmp_path):
    with server(tmp_path, work=0.0, work_burst=1.0) as client:
        assert {client.get(f"{API}/health").status_code for _ in range(20)} == {200}


@pytest.mark.parametrize(
    ("path", "least"),
    [
        ("tables/{}", 20),
        ("tables/{}?at=100", 5),
        ("tables/{}/record", 1),
        ("runs", 1),
        ("runs/long/metrics?names=a", 1),
    ],
)
def test_work_costs_in_proportion(tmp_path, path, least):
    """With a budget for 20 small requests, heavier ones are refused earlier."""
    (tmp_path / "runs" / "long").mkdir(parents=True)
    (tmp_path / "runs" / "long" / "config.json").write_text('{"game": "pig", "algorithm": "td"}')
    row = '{"step": 1, "seconds": 1.0, "a": 1.0}\n'
    (tmp_path / "runs" / "long" / "metrics.jsonl").write_text(row * (2_000_000 // len(row)))
    with server(tmp_path, PROXY, work=0.0, work_burst=40.0) as client:
        record = json.dumps({"game": "pig", "options": {"win_score": 10_000}, "actions": [0, 3] * 1_500}).encode()
        tid = client.post(f"{API}/records", content=record, headers=sent_by(ELSEWHERE)).json()["table"]
        client.get(f"{API}/tables/{tid}", headers=sent_by("192.0.2.1"))  # it is in memory from now on
        answers = [client.get(f"{API}/{path.format(tid)}", headers=sent_by(HERE)) for _ in range(21)]
        granted = [answer.status_code for answer in answers].count(200)
        assert least <= granted <= least + least // 4


def test_hints_have_a_budget_of_their_own(tmp_path):
    with server(tmp_path, PROXY, think=0.05, hints=0.0, hints_burst=1e-9) as client:
        tid, _ = begin(client, "tic_tac_toe", tutor=True)
        ask = lambda address: client.post(f"{API}/tables/{tid}/hint", json={}, headers=sent_by(address))  # noqa: E731
        assert ask(HERE).status_code == 200
        assert told(ask(HERE)) == (429, "server.too_fast")  # the first one took longer than that
        assert told(ask(NEIGHBOUR)) == (429, "server.too_fast")
        assert ask(ELSEWHERE).status_code == 200
        assert client.get(f"{API}/tables/{tid}", headers=sent_by(HERE)).status_code == 200


def test_hints_do_not_hold_up_other_readers(tmp_path, monkeypatch):
    go_on, entered = threading.Event(), threading.Event()

    def slow(self, state):
        entered.set()
        assert go_on.wait(60)
        return explain(self, state)

    from tablier.players.random import RandomPlayer

    explain = RandomPlayer.explain
    monkeypatch.setattr(RandomPlayer, "explain", slow)
    with server(tmp_path, PROXY, waiting=3, waiting_of_address=2, network=1) as client:
        tid, (token, _) = begin(client, "tic_tac_toe", tutor=True)

        async def hint(address):
            return await client.asked.post(
                f"{API}/tables/{tid}/hint", json={"player": "random"}, headers=sent_by(address)
            )

        jobs = [asyncio.run_coroutine_threadsafe(hint(HERE), client.loop) for _ in range(2)]
        until(entered.is_set)
        queue = client.app.fastapi.state.server.thinkers._queues["hint"]
        until(lambda: queue._all == 2)
        assert told(client.wait(hint(NEIGHBOUR))) == (429, "server.busy")  # the network's part of the queue is full
        jobs.append(asyncio.run_coroutine_threadsafe(hint(ELSEWHERE), client.loop))
        until(lambda: queue._all == 3)
        for path in (f"tables/{tid}?at=0", "runs", f"tables/{tid}/record"):
            assert client.get(f"{API}/{path}", headers=sent_by(HERE)).status_code == 200
        assert act(client, tid, token, 0, 0).status_code == 200
        go_on.set()
        assert [job.result(60).status_code for job in jobs] == [200, 200, 200]


def test_an_address_does_not_have_all_streams(tmp_path):
    with server(tmp_path, PROXY, streams_of_address=1, network=2) as client:
        tid, _ = begin(client)
        streams = client.app.fastapi.state.server.streams
        for address in (HERE, NEIGHBOUR):
            assert streams.take(client_of(address, "", ()), tid, has_seat=False)
        for address in (HERE, "203.0.113.3"):
            assert client.get(f"{API}/tables/{tid}/events", headers=sent_by(address)).status_code == 429
        assert streams.has_room(client_of(ELSEWHERE, "", ()), tid, has_seat=False)


def test_an_address_has_only_a_part_of_a_tables_streams(tmp_path):
    with server(tmp_path, PROXY, streams_of_table=8, watchers_of_address=2, network=2) as client:
        tid, (token, _) = begin(client)
        running = client.app.fastapi.state.server
        running.closing = True  # every stream ends at once, unless it is refused

        def status(address, **headers):
            return client.get(f"{API}/tables/{tid}/events", headers=sent_by(address) | headers).status_code

        def watch(address):
            return running.streams.take(client_of(address, "", ()), tid, has_seat=False)

        assert [watch(HERE) for _ in range(3)] == [True, True, False]
        assert (status(HERE), status(NEIGHBOUR)) == (429, 200)
        assert [watch(NEIGHBOUR) for _ in range(2)] == [True, True]
        assert (status("203.0.113.3"), status(ELSEWHERE)) == (429, 200)  # the network has its part
        assert all(watch(f"198.51.{n}.1") for n in range(4))
        assert (status(ELSEWHERE), status(HERE, **bearing("wrong"))) == (429, 429)
        assert status(HERE, **bearing(token)) == 200
        running.streams.give_back(client_of(HERE, "", ()), tid, has_seat=False)
        assert status(ELSEWHERE) == 200


LIMITS = Limits()
SHARED = {
    "streams": (LIMITS.streams, LIMITS.streams_of_address, LIMITS.network),
    "queues": (LIMITS.waiting, LIMITS.waiting_of_address, LIMITS.network),
    "reviews": (review.MOST_AT_ONCE, review.MOST_OF_ADDRESS, review.NETWORK),
    "rollouts": (rollouts.MOST_AT_ONCE, rollouts.MOST_OF_ADDRESS, rollouts.NETWORK),
    "games to review": (library.MOST_WAITING, library.MOST_OF_ADDRESS, library.NETWORK),
}


def stranger(n):
    """Returns a client in a network of its own."""
    return client_of(f"10.{n // 256}.{n % 256}.1", "", ())


@pytest.mark.parametrize(("most", "of_address", "network"), SHARED.values(), ids=SHARED)
def test_the_second_half_is_for_those_who_have_nothing(most, of_address, network):
    shares = Shares(most, of_address, network)
    taken = []
    for n in range(most):
        while 2 * len(taken) < most and shares.take(stranger(n)):
            taken.append(stranger(n))
    assert not any(shares.take(client) for client in taken)
    newcomers = [stranger(most + n) for n in range(most - len(taken))]
    assert all(shares.take(client) for client in newcomers)
    assert not shares.take(stranger(2 * most))


def test_in_the_second_half_a_network_has_as_many_as_a_few_addresses():
    shares = Shares(20, 5, 3)
    assert all(shares.take(stranger(n)) for n in range(10))
    neighbours = [client_of(f"203.0.113.{n}", "", ()) for n in range(5)]
    assert [shares.take(client) for client in neighbours] == [True, True, True, False, False]
    assert [shares.take(NOBODY) for _ in range(8)] == [True] * 7 + [False]  # this machine is limited only in total


class Counting:
    """A state that notes the actions played from it."""

    def __init__(self, state, played):
        self.state, self._played = state, played

    def child(self, action):
        self._played.append(action)
        return Counting(self.state.child(action), self._played)


def test_looking_back_costs_the_same_everywhere(tmp_path, monkeypatch):
    """A long game is not replayed from its first action."""
    monkeypatch.setattr("tablier.web.service.view.Story.tell", lambda *_: None)
    actions = [0, 3] * 2_000
    with server(tmp_path) as client:
        record = json.dumps({"game": "pig", "options": {"win_score": 100_000}, "actions": actions}).encode()
        tid = client.post(f"{API}/records", content=record).json()["table"]
        table = client.wait(client.app.fastapi.state.server.tables.find(tid))
    states = [table.game.new_initial_state()]
    for action in actions:
        states.append(states[-1].child(action))
    played = []
    table._marks = [Counting(state, played) for state in table._marks]
    for at in (0, 1, 59, 60, 61, 63, 64, 65, 124, 128, 1_999, 3_999, 4_000):
        played.clear()
        assert table.past(at)[0].state == states[at]
        assert len(played) <= 124
