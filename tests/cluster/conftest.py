"""Imports Tablier's cluster before any test imports Ray, so that Ray stays on the loopback interface."""

import tablier.cluster  # noqa: F401
