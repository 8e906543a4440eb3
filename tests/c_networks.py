"""What the tests of networks in the C library share."""

import numpy as np
import torch
from c_programs import ROOT

from tablier.learn.networks.core_net import CoreNet, to_core

SHIPPED = ROOT / "core/c_api/examples/trictrac.safetensors"

READ = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tablier.h"

static unsigned char *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  unsigned char *data;
  if (file == NULL) exit(2);
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  data = malloc(*bytes + 1);
  if (fread(data, 1, *bytes, file) != *bytes) exit(3);
  fclose(file);
  return data;
}
"""


def network(game, policy=False, width=24, hidden=(16,), seed=0):
    """The file of a network with random weights."""
    torch.manual_seed(seed)
    features = int(np.prod(game.features_shape()))
    net = CoreNet(features, game.num_distinct_actions() if policy else 0, width, hidden)
    torch.nn.init.normal_(net.value.weight)
    return to_core(net, game)
