"""Which readings of a thread count, by where it goes on: pure rules."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from memory_kernel.ledger.base import Reading, ThreadChange
from memory_kernel.lineage import (
    ABANDONED,
    EDITED,
    REMOVED,
    ROOT,
    Step,
    abandoned,
    digest,
    going_on,
    next_step,
    spared,
)

KEY = b"key"


class Record:
    """The readings of a thread, changed as the ledger changes them."""

    def __init__(self) -> None:
        self.readings: list[Reading] = []
        self.last = 0

    def turn(
        self,
        after: str | None,
        shown: Mapping[str, str],
        *new: str,
        from_checkpoint: bool = False,
    ) -> Step:
        step = next_step(KEY, self.readings, after, shown, new, from_checkpoint=from_checkpoint)
        change = step.change
        kept = [] if change.anew else self.readings
        standing = dict.fromkeys(change.withdrawn, False) | dict.fromkeys(change.reinstated, True)
        self.readings = [r._replace(standing=standing.get(r.n, r.standing)) for r in kept]
        for message, said in change.added.items():
            self.last += 1
            self.readings.append(Reading(self.last, change.turn, change.parent, message, said, True))
        return step

    def counting(self) -> dict[str, str | None]:
        return {r.message_id: r.digest for r in self.readings if r.standing and r.digest is not None}


@pytest.fixture
def record() -> Record:
    return Record()


def three(record: Record) -> list[str]:
    """The names of three turns, each with a message of its own."""
    names, shown = [], {}
    for message in "abc":
        shown[message] = f"{message}1"
        names.append(record.turn(names[-1] if names else None, shown, message).change.turn)
    return names


def test_turns_that_follow_each_other_take_nothing_back(record: Record) -> None:
    three(record)
    assert record.counting() == {"a": "a1", "b": "b1", "c": "c1"}
    assert all(r.standing for r in record.readings)


def test_a_turn_has_the_name_of_its_past_and_its_words(record: Record) -> None:
    names = {
        next_step(key, [], after, {m: text}, [m], from_checkpoint=False).change.turn
        for key, after, m, text in [
            (KEY, None, "a", "1"),
            (KEY, "x", "a", "1"),
            (KEY, None, "b", "1"),
            (KEY, None, "a", "2"),
            (b"other", None, "a", "1"),
        ]
    }
    assert len(names) == 5
    assert digest(KEY, "tea") != digest(b"other", "tea")


def test_the_same_turn_again_changes_nothing(record: Record) -> None:
    names = three(record)
    step = record.turn(names[1], {"a": "a1", "b": "b1", "c": "c1"}, "c")
    assert step.change.turn == names[2]
    assert not step.change


def test_what_came_after_the_turn_that_is_followed_is_abandoned(record: Record) -> None:
    names = three(record)
    step = record.turn(names[0], {"a": "a1", "d": "d1"}, "d")
    assert set(step.change.withdrawn.values()) == {ABANDONED}
    assert record.counting() == {"a": "a1", "d": "d1"}
    back = record.turn(names[2], {"a": "a1", "b": "b1", "c": "c1", "e": "e1"}, "e")
    assert len(back.change.reinstated) == 2
    assert record.counting() == {"a": "a1", "b": "b1", "c": "c1", "e": "e1"}


def test_other_words_of_the_same_message_are_an_edit_and_not_read_twice(record: Record) -> None:
    names = three(record)
    step = record.turn(names[1], {"a": "a1", "b": "b1", "c": "c2"}, "c")
    assert set(step.change.withdrawn.values()) == {EDITED}
    assert step.edited == (), "it is new in this turn, and read as such"
    assert record.counting() == {"a": "a1", "b": "b1", "c": "c2"}


def test_an_earlier_message_that_says_something_else_is_to_be_read_again(record: Record) -> None:
    names = three(record)
    step = record.turn(names[2], {"a": "a1", "b": "b2", "c": "c1", "d": "d1"}, "d")
    assert step.edited == ("b",)
    assert record.counting() == {"a": "a1", "b": "b2", "c": "c1", "d": "d1"}
    again = record.turn(step.change.turn, {"a": "a1", "b": "b1", "c": "c1", "d": "d1", "e": "e1"}, "e")
    assert again.edited == ("b",)
    assert record.counting()["b"] == "b1"


def test_a_message_is_removed_if_an_older_one_is_still_shown(record: Record) -> None:
    names = three(record)
    step = record.turn(names[2], {"b": "b1", "d": "d1"}, "d")
    assert list(step.change.withdrawn.values()) == [REMOVED]
    assert record.counting() == {"a": "a1", "b": "b1", "d": "d1"}
    back = record.turn(step.change.turn, {"b": "b1", "c": "c1", "d": "d1", "e": "e1"}, "e")
    assert back.edited == ("c",), "it was put back"


@pytest.mark.parametrize("shown", [{}, {"c": "c1"}, {"b": "b1", "c": "c1"}])
def test_what_left_from_the_old_end_counts_on(record: Record, shown: dict[str, str]) -> None:
    names = three(record)
    record.turn(names[2], {**shown, "d": "d1"}, "d")
    assert record.counting() == {"a": "a1", "b": "b1", "c": "c1", "d": "d1"}


def test_an_edited_message_may_leave_from_the_old_end_as_well(record: Record) -> None:
    names = three(record)
    edited = record.turn(names[2], {"a": "a2", "b": "b1", "c": "c1", "d": "d1"}, "d")
    record.turn(edited.change.turn, {"b": "b1", "c": "c1", "d": "d1", "e": "e1"}, "e")
    assert record.counting()["a"] == "a2"


def test_a_thread_without_a_past_is_another_one_unless_it_was_sent_back(record: Record) -> None:
    three(record)
    step = record.turn(None, {"d": "d1"}, "d")
    assert step.change.anew
    assert not step.change.withdrawn
    three(record)
    step = record.turn(None, {"e": "e1"}, "e", from_checkpoint=True)
    assert not step.change.anew
    assert record.counting() == {"e": "e1"}


def test_a_message_of_the_record_shows_that_the_thread_was_sent_back(record: Record) -> None:
    three(record)
    record.turn(None, {"a": "a2"}, "a")
    assert record.counting() == {"a": "a2"}


def test_a_thread_that_does_not_say_where_it_is_follows_the_last_turn_that_it_shows(record: Record) -> None:
    three(record)
    record.turn(None, {"a": "a1", "b": "b1", "d": "d1"}, "d")
    assert record.counting() == {"a": "a1", "b": "b1", "d": "d1"}


def test_turns_that_broke_off_are_spared_and_what_was_edited_is_not() -> None:
    change = ThreadChange("x", "", withdrawn={1: ABANDONED, 2: ABANDONED, 3: EDITED})
    assert abandoned(change) == [1, 2]
    kept = spared(change, {2})
    assert (dict(kept.withdrawn), tuple(kept.let_stand)) == ({1: ABANDONED, 3: EDITED}, (2,))


def test_a_past_that_is_not_on_record_takes_nothing_back(record: Record) -> None:
    three(record)
    step = record.turn("never heard of", {"d": "d1"}, "d")
    assert step.change.anew
    assert not step.change.withdrawn
    assert record.counting() == {"d": "d1"}


def test_a_turn_whose_own_reading_was_forgotten_is_known_by_what_followed_it(record: Record) -> None:
    names = three(record)
    record.readings = record.readings[1:]
    record.turn(names[0], {"a": "a1", "d": "d1"}, "d")
    assert record.counting() == {"d": "d1"}


def test_going_on_in_the_middle_of_a_turn_abandons_what_came_after(record: Record) -> None:
    names = three(record)
    assert not going_on(record.readings, names[2])
    assert list(going_on(record.readings, names[1]).withdrawn.values()) == [ABANDONED]
    assert len(going_on(record.readings, ROOT).withdrawn) == 3
    assert not going_on(record.readings, "never heard of")


def test_a_record_whose_parents_go_in_circles_ends(record: Record) -> None:
    record.readings = [Reading(1, "x", "y", "a", "a1", True), Reading(2, "y", "x", "b", "b1", True)]
    record.turn("x", {"a": "a1", "b": "b1", "c": "c1"}, "c")
    assert record.counting() == {"a": "a1", "b": "b1", "c": "c1"}
