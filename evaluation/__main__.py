"""`python -m evaluation`: the programs behind the figures in the docs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evaluation import extraction, isolation
from evaluation.data import MissingData
from graph.extractors import make_extractor
from graph.settings import Settings
from memory_kernel.errors import MemoryKernelError


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
    written = programs.add_parser("extraction", help="what an extractor writes, and whether it should")
    written.add_argument("--half", default="dev")
    written.add_argument(
        "--set", dest="sets", action="append", choices=extraction.SETS, help="only this one; repeat it"
    )
    written.add_argument("--extractor", choices=("offline", "model"), default="offline", help="which one is measured")
    written.add_argument("--model", metavar="SPEC", help="of the extractor `model`: openai:gpt-4o, local:smollm2, …")
    written.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help="the first N rows of each set (of prefeval: N preferences and N questions)",
    )
    written.add_argument("--output", type=Path, metavar="JSONL", help="a row a decision, to compute the scores again")
    arguments = parser.parse_args()
    try:
        if arguments.program == "extraction":
            settings = Settings(extractor=arguments.extractor, extraction_model=arguments.model)
            extractor = make_extractor(settings)
            chosen_by = ["--extractor", arguments.extractor] if arguments.extractor != "offline" else []
            return extraction.run(
                arguments.half,
                arguments.sets,
                arguments.output,
                limit=arguments.limit,
                extractor=extractor,
                chosen_by=[*chosen_by, *(["--model", arguments.model] if arguments.model else [])],
            )
        return isolation.run(arguments.half, arguments.model, arguments.replies, arguments.limit, arguments.keep)
    except (MissingData, MemoryKernelError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
