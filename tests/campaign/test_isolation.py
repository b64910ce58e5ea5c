"""A real transcript of several users, replayed by the command line and judged from outside: nothing crosses."""

from __future__ import annotations

import pytest

from evaluation import isolation
from evaluation.data import MissingData, rows
from graph.fetch import is_fetched
from graph.settings import Settings

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(1500)]


@pytest.fixture(autouse=True)
def _memorybank() -> None:
    try:
        next(rows("open/memorybank"))
    except MissingData as error:
        pytest.skip(str(error))


def test_nothing_crosses_between_the_users_of_memorybank(capfd: pytest.CaptureFixture[str]) -> None:
    assert isolation.run("dev", "local:extractive", "recorded", None, None) == 0
    out = capfd.readouterr().out
    print(out)
    assert "280 of 8 users" in out
    assert "crossed: 0" in out


@pytest.mark.embedded
def test_nothing_crosses_when_the_embedded_model_answers(capfd: pytest.CaptureFixture[str]) -> None:
    if not is_fetched("smollm2", Settings().models_dir):
        pytest.skip("the weights are not here: python -m graph models fetch smollm2")
    assert isolation.run("dev", "local:smollm2", "model", 30, None) == 0
    out = capfd.readouterr().out
    print(out)
    assert "0 from the transcript, 30 from the chat model" in out
    assert "crossed: 0" in out
