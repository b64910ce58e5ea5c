"""What gets written, and whether it should be: `python -m evaluation extraction` over public conversations.

A module a set turns its rows into decisions, and decisions into figures; figures are made of decisions and of nothing
else, so whoever has the rows can compute them again.
"""

from evaluation.extraction.program import SETS, run

__all__ = ["SETS", "run"]
