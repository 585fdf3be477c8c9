"""An audit of trust: `make audit`, or `python -m benchmarks.audit [--part P] [--small] [--seed K]`."""
