"""One module per paper: its tables and figures from a stored run, with measured values next to published ones."""

from harness.papers.registry import PAPERS, Paper, paper, paper_or_run

__all__ = ["PAPERS", "Paper", "paper", "paper_or_run"]
