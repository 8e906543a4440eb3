"""A wrong record for each reason to refuse one, because chance seldom meets some of them."""

import json

PIG = {"game": "pig", "options": {}, "actions": []}
TRICTRAC = {"format": "tablier-record", "version": 1, "game": "trictrac", "options": {}, "header": {}, "throws": []}
WRONG = [
    *("", "\n", "x", "[x]", "x" * 4_000_001, "\n" * 20_001, b"\xff"),
    *('[Game "\x00"]', '[Game "go"]', '[Option x "1"]', '[White "a"]\n[Game "trictrac"]'),
    *('[Game "trictrac"]\n[Game "trictrac"]', '[Game "trictrac"]\n[White "a"]\n[White "a"]'),
    *('[Game "trictrac"]\n[Option x "1"]', '[Game "trictrac"]\n[Option holes_to_win "x"]', '[Game "trictrac"]\n[x]'),
    *('[Game "trictrac"]\n[Option holes_to_win "0"]', '[Game "trictrac"]\nunfinished\nx'),
    '[Game "trictrac"]\n' + "x\n" * 20_001,
    *('{"game": 1, "game": 2}', "{" * 100_000),
]
WRONG += [
    json.dumps(PIG | wrong) for wrong in (
        {"x": 1}, {"header": 1}, {"header": {"": ""}}, {"header": {"a": 1}}, {"format": 1}, {"game": 1}, {"game": "\n"},
        {"options": []}, {"options": {"a": "\n"}}, {"options": {"name": "x"}}, {"options": {"win_score": 10**30}},
        {"options": {"win_score": "x"}},
        {"actions": 1}, {"actions": [1.5]}, {"actions": [10**30]}, {"actions": [0] * 100_001},
    )
]  # fmt: skip
WRONG_TRICTRAC = [
    json.dumps(TRICTRAC | wrong) for wrong in (
        {"format": 1}, {"version": True}, {"x": 1}, {"game": "go"}, {"options": 1}, {"header": 1}, {"throws": 1},
        {"options": {"holes_to_win": 10**30}}, {"throws": [{}] * 20_001}, {"throws": [1]}, {"throws": [{"events": 1}]},
    )
]  # fmt: skip
WRONG += WRONG_TRICTRAC

MONEY = " 0 point match\n Game 1\n White : 0  Black : 0\n"
OPENED = f"{MONEY}  1) 31: 8/5 6/5   "
TURNS = [
    "Doubles => 2", "x", "x 31:", "31: 31: 31:", "11:", "31: 8/5 x", "31: 7/4", "31: (2)", "31: 8/5", "31: Cannot Move",
    "31: 8/5 6/5 6/5 6/5 6/5", "31: 8/5 6/5   31:\n  2) 42:", "31: 8/5 6/5\n  2) 42: 8/4 6/4",
]  # fmt: skip
WRONG_MATCHES = [
    "", " 3 point match\n", " 3 point match\nx", " 3 point match\n  1) 31: 8/5 6/5\n", " Game 1\nx",
    f" Game 1\n{'x' * 2_001}", " Game 1\n" * 10_001, '; [Variation "x"]\n Game 1\n',
    "".join(f'; [A{number} "x"]\n' for number in range(101)) + " Game 1\n",
    *(f"{MONEY}  1) {turn}" for turn in TURNS),
]  # fmt: skip
AFTER_GM = [
    "GM[5])", "AE[a])", ";AE[a])", "RU[Hypergammon1])", "RU[xgammon])", "PW[\x00])", "", ")()", ")x", "((", "\x00",
    ";W[double])", ";W[x])", ";W[31ah])", ";W[31aa])", ";W[31ab])", ";W[31hg])", ";W[31he])", ";W)", ")(W)", ")([x])",
    ";W[31hefe];W[31hefe])", ";W[31];B[31])", ";W[11])",
]  # fmt: skip
WRONG_MATCHES += [f"(;GM[6]{text}" for text in AFTER_GM]
