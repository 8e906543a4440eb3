"""OpenSpiel's own AlphaZero (JAX) trains on the native game `trictrac`.

    pip install jax flax optax orbax-checkpoint chex
    python examples/open_spiel_alpha_zero.py [steps] [folder]

One actor plays a short game of Trictrac against itself, one evaluator plays the network against plain MCTS, and the
learner takes `steps` steps. Needs the extra `openspiel` and the packages above.
"""

import sys
import tempfile

import pyspiel
from open_spiel.python.algorithms.alpha_zero import alpha_zero

import tablier.adapters.open_spiel_native  # noqa: F401  (registers the game, in OpenSpiel's worker processes too)

GAME = "trictrac(holes_to_win=1,max_turns=200)"


def main(steps: int, folder: str) -> None:
    """Trains for a number of steps and writes logs and checkpoints to a folder."""
    game = pyspiel.load_game(GAME)
    alpha_zero.alpha_zero(
        alpha_zero.Config(
            game=GAME,
            path=folder,
            learning_rate=1e-3,
            weight_decay=1e-4,
            decouple_weight_decay=False,
            train_batch_size=64,
            replay_buffer_size=256,
            replay_buffer_reuse=4,
            max_steps=steps,
            checkpoint_freq=10,
            actors=1,
            evaluators=1,
            evaluation_window=50,
            eval_levels=2,
            uct_c=1.4,
            max_simulations=8,
            policy_alpha=0.3,
            policy_epsilon=0.25,
            temperature=1,
            temperature_drop=20,
            nn_model="mlp",
            nn_width=64,
            nn_depth=2,
            observation_shape=game.observation_tensor_shape(),
            output_size=game.num_distinct_actions(),
            verbose=False,
            quiet=True,
        )
    )


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    main(steps, sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="trictrac-alpha-zero-"))
