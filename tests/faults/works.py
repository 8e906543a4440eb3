"""Pieces of work for a workshop. They print what they have promised, such as a saved step, once it is promised."""

from importlib import import_module
from pathlib import Path

LEARNING = (
    "torch._dynamo",
    "torch.onnx",
    "onnx",
    "onnxruntime",
    "tablier.learn",
    "tensorboard.summary.writer.record_writer",
)
SERVING = ("uvicorn", "fastapi", "httpx", "tablier.web.http.app", "tablier.arena")


def import_everything() -> None:
    """Imports what the children need. It computes nothing, since threads would not survive the fork."""
    from tablier.cli import make_parser

    for name in (*LEARNING, *SERVING):
        import_module(name)
    make_parser()


def train(*words):
    """Trains like `tablier train`; prints `saved STEP` for each checkpoint that is complete."""
    import threading

    from tqdm import tqdm

    from tablier.cli import main
    from tablier.learn.runs.run import Run

    tqdm.set_lock(threading.RLock())  # the default is a semaphore, which a killed process leaves behind
    save = Run.save

    def told(self, step, *rest):
        save(self, step, *rest)
        print("saved", step, flush=True)

    Run.save = told
    return main(["train", *words])


def arena(path, games):
    """Plays a small tournament; prints `stored FIRST SECOND NUMBER` for each game that is in the file."""
    import tablier
    from tablier.arena import ArenaFile, Entrant, Setup, in_this_process, round_robin, run_tournament, tournament
    from tablier.messages import MessageError

    add = ArenaFile.add

    def told(self, new):
        new = list(new)
        add(self, new)
        for game in new:
            print("stored", game.first, game.second, game.result.number, flush=True)

    ArenaFile.add = told
    tournament.COMMIT = 0.0
    setup = Setup("pig", tablier.load_game("pig", win_score=10).options())
    try:
        file = ArenaFile.resume(path, setup) if Path(path).exists() else ArenaFile.create(path, setup)
        with file:
            pairings = round_robin([Entrant(name, name) for name in ("random", "greedy")])
            run_tournament(file, pairings, int(games), in_this_process, batch=2)
    except MessageError as error:  # as the command reports it
        import sys

        print(f"tablier: {error}", file=sys.stderr)
        return 2
    return 0


def serve(folder):
    """Runs the web server on a free port until it is killed."""
    from tablier.cli import main

    return main(["serve", "--port", "0", "--db", f"{folder}/games.sqlite", "--runs", f"{folder}/runs"])
