"""One module per paper: its tables and figures from a stored run, each measured value beside the published one."""

from harness.papers.registry import PAPERS, Paper, paper, paper_or_run

__all__ = ["PAPERS", "Paper", "paper", "paper_or_run"]
