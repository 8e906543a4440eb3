"""Networks in PyTorch, their ONNX export and inference during training."""
