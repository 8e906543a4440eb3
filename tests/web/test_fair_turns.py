"""Opponents think for everyone in turn: whoever plays at many tables waits for themselves alone."""

import asyncio
import threading

from serving import ELSEWHERE, HERE, PROXY, act, new_table, server, until

from tablier.players.tree import MctsPlayer
from tablier.web.service.turns import Turns


def served(places, *asked, cancelled=()):
    """Returns the order in which requests are served that are all made before the first is done."""
    order = []

    async def ask(turns, owner, number, go_on):
        async with turns.take(owner):
            order.append(f"{owner}{number}")
            await go_on.wait()

    async def all_of_them():
        turns, go_on = Turns(places), asyncio.Event()
        tasks = [asyncio.create_task(ask(turns, owner, number, go_on)) for number, owner in enumerate(asked)]
        await asyncio.sleep(0)
        for number in cancelled:
            tasks[number].cancel()
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert turns._free == places
        assert not turns._asked
        assert not turns._waiting

    asyncio.run(all_of_them())
    return " ".join(order)


def test_owners_take_turns():
    assert served(1, *"aaaab") == "a0 a1 b4 a2 a3"
    assert served(1, *"aaaabbc") == "a0 a1 b4 c6 a2 b5 a3"
    assert served(2, *"aaaab") == "a0 a1 a2 b4 a3"


def test_those_who_no_longer_wait_lose_their_turn():
    assert served(1, *"aaab", cancelled=[1, 2]) == "a0 b3"
    assert served(1, *"aab", cancelled=[0]) == "a0 a1 b2"
    assert served(2, *"abab", cancelled=[0, 1, 2]) == "a0 b1 b3"


def test_a_place_given_to_one_who_leaves_goes_to_the_next():
    async def leave():
        turns = Turns(1)
        first, second = turns.take("a"), turns.take("b")
        await first.__aenter__()
        waiting = asyncio.create_task(second.__aenter__())
        await asyncio.sleep(0)
        await first.__aexit__(None, None, None)  # the place is now the second one's, who has not seen it yet
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(10), turns.take("c"):
            pass

    asyncio.run(leave())


def test_an_owner_with_many_requests_thinks_shorter():
    async def crowds():
        turns = Turns(2)
        async with turns.take("b"):
            many = [asyncio.create_task(turns.take("a").__aenter__()) for _ in range(10)]
            await asyncio.sleep(0)
            assert (turns.crowd("a"), turns.crowd("b")) == (10, 1)
            for one in many:
                one.cancel()
            await asyncio.gather(*many, return_exceptions=True)

    asyncio.run(crowds())


def test_opponents_at_many_tables_do_not_keep_others_waiting(tmp_path, monkeypatch):
    go_on, thinking = threading.Event(), []
    choose = MctsPlayer.choose

    def slow(self, state):
        thinking.append(str(state).find("x"))  # where the person has played
        assert go_on.wait(60)
        return choose(self, state)

    monkeypatch.setattr(MctsPlayer, "choose", slow)
    body = {"game": "tic_tac_toe", "seats": ["human", "mcts:sims=2"]}
    with server(tmp_path, PROXY, threads=1) as client:
        turns = client.app.fastapi.state.server.thinkers._turns["seat"]
        for n, (cell, address) in enumerate([(0, HERE), (1, HERE), (2, HERE), (4, ELSEWHERE)], 1):
            begun = new_table(client, address, body).json()
            assert act(client, begun["table"], begun["tokens"][0], cell, 0).status_code == 200
            until(lambda n=n: turns._asked.total() == n)
        go_on.set()
        until(lambda: len(thinking) == 4)
    assert thinking == [0, 1, 5, 2]
