import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # several collapse where the cores are shared
pytest.importorskip("onnx")
