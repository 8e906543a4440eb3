"""Measures how fast an uninformed search finds the exact value of Pig, with and without chance nodes.

Writes docs/search-convergence.svg and prints the table of docs/search.md:
python examples/search_convergence.py docs/search-convergence.svg
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import mean

from pig_exact import solve

import tablier
from tablier.evaluators import UniformEvaluator
from tablier.search import Search, SearchConfig

GOAL = 12
STARTS = [(0, 0), (3, 7), (6, 6), (8, 2), (9, 10), (4, 11)]
"""The scores of the player to move and of the other where the searches start."""
BUDGETS = [10**k for k in range(2, 7)]
KINDS = {
    "quota": ("explicit chance nodes, by quota", "#1b6e53"),
    "sampled": ("explicit chance nodes, rolls drawn at random", "#b5722a"),
    "open_loop": ("open loop: no chance nodes", "#9c2f3f"),
}


def start_of(game: tablier.Game, mine: int, other: int) -> tablier.State:
    """Rolls and holds whole turns until these scores are banked and player 0 is to move."""
    state = game.new_initial_state()
    for target in (mine, other):
        rest = target
        while rest:
            face = next(face for face in (6, 5, 4, 3, 2) if face <= rest and rest - face != 1)
            state.apply_action(0)
            state.apply_action(face - 1)
            rest -= face
        state.apply_action(1)
    return state


def errors(chance: str) -> list[float]:
    """The mean error of the root value over all starts, for each budget."""
    game, exact = tablier.load_game("pig", win_score=GOAL), solve(GOAL)
    result = []
    for budget in BUDGETS:
        off = []
        for mine, other in STARTS:
            search = Search(
                game, UniformEvaluator(game), SearchConfig(n_simulations=budget, chance=chance, memory_mb=2000)
            )
            value = search.run(start_of(game, mine, other)).value[0]
            off.append(abs((1 + value) / 2 - exact[mine, other, 0]))
        result.append(mean(off))
    return result


def main() -> None:
    """Measures, prints and plots."""
    seen = {chance: errors(chance) for chance in KINDS}
    print("| simulations | " + " | ".join(seen) + " |\n|---|" + "---|" * len(seen))
    for i, budget in enumerate(BUDGETS):
        print(f"| {budget:,} | " + " | ".join(f"{values[i]:.4f}" for values in seen.values()) + " |")
    if len(sys.argv) < 2:
        return
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tablier"  # makes the file reproducible
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for chance, values in seen.items():
        label, colour = KINDS[chance]
        axes.loglog(BUDGETS, values, marker="o", label=label, color=colour)
    axes.set_xlabel("simulations")
    axes.set_ylabel("error of the chance to win")
    axes.set_title(f"Pig to {GOAL} points, searched without knowledge")
    axes.grid(True, which="both", alpha=0.25)
    axes.legend()
    figure.savefig(Path(sys.argv[1]), metadata={"Date": None})


if __name__ == "__main__":
    main()
