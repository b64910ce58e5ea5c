"""Learns the weights of `standing` from the sentences in data/standing.txt and data/we.txt: `python -m "
"nodes.extractors.learning`.

Logistic regression by Newton's method: the same sentences give the same weights, to the digits that are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nodes.extractors import directives, text
from nodes.extractors.standing import sense

_FOLDS = 10
_PENALTY_GRAMMAR, _PENALTY_SENSE = 1.0, 0.3
"""What keeps weights small: an embedding has more dimensions than there are examples to fill them."""


_FRAMES = {
    True: ("I want you to {}", "Going forward, {}", "I'd like you to {}", "We {}"),
    False: ("I want you to {}", "Could you {}", "I'd like you to {}"),
}
"""In which an imperative says the same: who asks, and how, is not to decide what lasts."""


class Example(NamedTuple):
    """A sentence, and whether it states an instruction that lasts. Variants of one sentence have one `number`."""

    words: str
    lasts: bool
    number: int


def labelled(name: str) -> list[Example]:
    """The sentences of a file in data/, in their order; "+" is what is sought."""
    lines = files(__package__).joinpath("data", name).read_text("utf-8").splitlines()
    return [
        Example(" ".join(text.mask(line[2:]).split()), line[0] == "+", number)
        for number, line in enumerate(line for line in lines if line[:2] in ("+ ", "- "))
    ]


def examples() -> list[Example]:
    """The labelled sentences and their variants."""
    found: list[Example] = []
    for words, lasts, number in labelled("standing.txt"):
        found.append(Example(words, lasts, number))
        if directives.is_imperative(words) and not directives.FORMS["negated imperative"].match(words):
            bare = words[0].lower() + words[1:]
            found += [Example(frame.format(bare), lasts, number) for frame in _FRAMES[lasts]]
    return found


def fit(rows: NDArray[np.float64], lasts: NDArray[np.float64], penalty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of a logistic model, the bias first, which is not penalised."""
    rows = np.hstack([np.ones((len(rows), 1)), rows])
    penalty = np.concatenate([[1e-6], penalty])
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (likely - lasts) + penalty * weights
        curve = (rows * (likely * (1 - likely))[:, None]).T @ rows + np.diag(penalty)
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def learn(known: list[Example], we: list[Example]) -> dict[str, object]:
    """The content of data/standing.json."""
    own_life = fit(_senses(we), _lasting(we), np.full(_senses(we).shape[1], _PENALTY_SENSE))
    grammar, full, lasts = _matrices(known)
    with_sense = fit(full, lasts, _penalty(full.shape[1]))
    alone = fit(grammar, lasts, _penalty(grammar.shape[1]))
    split = 1 + len(directives.NAMES)
    return {
        "names": list(directives.NAMES),
        "bias": round(float(with_sense[0]), 3),
        "grammar": _rounded(with_sense[1:split]),
        "sense": _rounded(with_sense[split:]),
        "alone_bias": round(float(alone[0]), 3),
        "alone": _rounded(alone[1:]),
        "own_life_bias": round(float(own_life[0]), 3),
        "own_life": _rounded(own_life[1:]),
    }


def cross_validated(known: list[Example]) -> NDArray[np.float64]:
    """How likely each example would be said to last by weights that have not seen it."""
    _, full, lasts = _matrices(known)
    likely = np.zeros(len(known))
    for fold in range(_FOLDS):
        out = np.array([example.number for example in known]) % _FOLDS == fold
        weights = fit(full[~out], lasts[~out], _penalty(full.shape[1]))
        likely[out] = 1 / (1 + np.exp(-(weights[0] + full[out] @ weights[1:])))
    return likely


def _matrices(known: list[Example]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    grammar = np.array([directives.features(example.words) for example in known])
    return grammar, np.hstack([grammar, _senses(known)]), _lasting(known)


def _senses(known: list[Example]) -> NDArray[np.float64]:
    meanings = [meaning for example in known if (meaning := sense(example.words)) is not None]
    if len(meanings) != len(known):
        raise SystemExit("the embedder local:wordllama is needed to learn: pip install wordllama")
    return np.array(meanings)


def _lasting(known: list[Example]) -> NDArray[np.float64]:
    return np.array([float(example.lasts) for example in known])


def _penalty(columns: int) -> NDArray[np.float64]:
    names = len(directives.NAMES)
    return np.concatenate([np.full(names, _PENALTY_GRAMMAR), np.full(columns - names, _PENALTY_SENSE)])


def _rounded(weights: NDArray[np.float64]) -> list[float]:
    return [round(float(weight), 3) for weight in weights]


def main() -> int:
    """Writes the weights, and says how well weights do on sentences that they have not seen."""
    parser = argparse.ArgumentParser(prog="python -m nodes.extractors.learning", description=__doc__)
    parser.add_argument("--errors", action="store_true", help="list the sentences that unseen weights get wrong")
    arguments = parser.parse_args()
    known = examples()
    likely = cross_validated(known)
    lasts = np.array([example.lasts for example in known])
    right = (likely >= 0.5) == lasts
    print(
        f"{len(known)} sentences, {_FOLDS}-fold: {100 * right.mean():.1f} % right; "
        f"recall {100 * right[lasts].mean():.1f} %, of the others kept {100 * (1 - right[~lasts].mean()):.1f} %"
    )
    if arguments.errors:
        for example, chance, good in zip(known, likely, right, strict=True):
            if not good:
                print(f"{'+' if example.lasts else '-'} {chance:.2f} {example.words}")
    target = Path(str(files(__package__).joinpath("data/standing.json")))
    target.write_text(json.dumps(learn(known, labelled("we.txt"))) + "\n", "utf-8")
    print(f"wrote {target} ({target.stat().st_size:,} bytes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
