"""Learners from other libraries, driven through Gymnasium. The full run is examples/maskable_ppo.py."""

import gymnasium
import sb3_contrib

import tablier.adapters.gymnasium  # noqa: F401


def test_maskable_ppo_learns():
    env = gymnasium.make("tablier/Trictrac-v0", seat="random", holes_to_win=2)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=2, seed=1, device="cpu")
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(256)
    assert model.num_timesteps == 256
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters(), strict=True))
    observation, info = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=env.unwrapped.action_masks(), deterministic=True)
    assert info["action_mask"][action]
