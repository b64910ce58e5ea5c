"""`python -m evaluation`: the programs behind the figures in the docs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evaluation import extraction, isolation
from evaluation.data import MissingData


def main() -> int:
    """Run one program; its exit code says whether what it checks held."""
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    programs = parser.add_subparsers(dest="program", required=True, metavar="PROGRAM")
    crossing = programs.add_parser("isolation", help="replay MemoryBank with canary words; does anything cross?")
    crossing.add_argument("--half", default="dev")
    crossing.add_argument("--model", default="local:extractive")
    crossing.add_argument("--replies", choices=("recorded", "model"), default="recorded")
    crossing.add_argument("--limit", type=int, help="the first N turns")
    crossing.add_argument("--keep", type=Path, metavar="DIR", help="leave transcript, rows and store here")
    written = programs.add_parser("extraction", help="what the offline extractor writes, and whether it should")
    written.add_argument("--half", default="dev")
    written.add_argument(
        "--set", dest="sets", action="append", choices=extraction.SETS, help="only this one; repeat it"
    )
    written.add_argument("--output", type=Path, metavar="JSONL", help="a row a decision, to compute the scores again")
    arguments = parser.parse_args()
    try:
        if arguments.program == "extraction":
            return extraction.run(arguments.half, arguments.sets, arguments.output)
        return isolation.run(arguments.half, arguments.model, arguments.replies, arguments.limit, arguments.keep)
    except MissingData as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
