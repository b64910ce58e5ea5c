"""The embedded ledger: what was accepted, once, in order, on disk (invariants 4, 10, 11)."""

from __future__ import annotations

import itertools
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_kernel import KernelClosed, LedgerDamaged, SessionTaken, Source, StoreUnavailable, UserErased
from memory_kernel.ledger.base import Draft, Partition, Revised, ThreadChange
from memory_kernel.ledger.sqlite import SqliteLedger
from memory_kernel.manager import _fingerprint

HOSTILE_IDS = [
    "mira", "mira_osk", "mira-osk", "mira ", " mira", "MIRA", "%", "_", "mira%", "İ", "i̇", "a.b@c", "*", "?", "'; --",
    'mira"', "mira\x00", "mira\x00osk", "\n", "null", "0", "é", "e\u0301", "米拉", "🦊", "x" * 2000,
]  # fmt: skip
START = datetime(2026, 1, 1, tzinfo=UTC)


def at(day: int) -> datetime:
    return START + timedelta(days=day)


def draft(text: str, **fields: Any) -> Draft:
    given_ = {
        "id": uuid.uuid4().hex,
        "owner_agent": "A",
        "memory_type": "profile",
        "sharing_policy": "private",
        "content": text,
        "text": text,
        "fingerprint": _fingerprint(text),
        "created_at": at(0),
        "valid_from": at(0),
    }
    return Draft(**{**given_, **fields})


@pytest.fixture
def open_ledger(tmp_path: Path) -> Iterator[Callable[..., SqliteLedger]]:
    opened: list[SqliteLedger] = []

    def make(name: str = "ledger.sqlite3", **options: Any) -> SqliteLedger:
        opened.append(SqliteLedger(tmp_path / name, **options))
        return opened[-1]

    yield make
    for ledger in opened:
        ledger.close()


@pytest.fixture
def ledger(open_ledger: Callable[..., SqliteLedger]) -> SqliteLedger:
    return open_ledger()


@pytest.fixture
def mira(ledger: SqliteLedger) -> Partition:
    return ledger.partition("mira")


def texts(ledger: SqliteLedger, partition: Partition) -> list[str]:
    return [i.text for i in ledger.live_items(partition)]


# Acceptance


def test_what_was_accepted_is_there_in_full_after_the_file_was_closed(open_ledger: Any) -> None:
    ledger = open_ledger()
    full = draft(
        "Preferred tools: vim.",
        content={"preferred_tools": ["vim"]},
        slot="tools",
        expires_at=at(30),
        source=Source(thread_id="t", message_id="m", speaker="user"),
        confidence=0.5,
        sharing_policy="shared",
    )
    [accepted] = ledger.accept(ledger.partition("mira"), [full])
    ledger.close()
    again = open_ledger()
    [found] = again.live_items(again.partition("mira"))
    assert found == accepted.item
    assert (found.content, found.source.speaker, found.expires_at, found.seq_no) == (full.content, "user", at(30), 1)


def test_drafts_are_accepted_together_or_not_at_all(ledger: SqliteLedger, mira: Partition) -> None:
    good, same_id = draft("one"), draft("two")
    with pytest.raises(sqlite3.IntegrityError):
        ledger.accept(mira, [good, same_id, draft("three", id=same_id.id)])
    assert list(ledger.items(mira)) == []
    assert ledger.last_seq(mira) == 0


def test_one_acceptance_is_one_commit(ledger: SqliteLedger, mira: Partition) -> None:
    said: list[str] = []
    ledger._writer.set_trace_callback(said.append)
    ledger.accept(mira, [draft(f"fact {n}") for n in range(20)])
    assert [s for s in said if s.split()[0] in ("BEGIN", "COMMIT")] == ["BEGIN IMMEDIATE", "COMMIT"]


def test_every_commit_is_synced_and_deleted_pages_are_overwritten(ledger: SqliteLedger) -> None:
    pragmas = {
        name: ledger._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "secure_delete")
    }
    assert pragmas == {"synchronous": 2, "secure_delete": 1}
    assert ledger._writer.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_sequence_numbers_are_per_user_without_gaps(ledger: SqliteLedger, mira: Partition) -> None:
    noor = ledger.partition("noor")
    numbers = [ledger.accept(p, [draft(f"{n}")])[0].item.seq_no for n in range(3) for p in (mira, noor)]
    assert numbers == [1, 1, 2, 2, 3, 3]
    assert ledger.reserve(mira) == 4
    assert (ledger.last_seq(mira), ledger.last_seq(noor), ledger.last_seq(Partition("nobody", 99))) == (4, 3, 0)


def test_a_reserved_number_is_used(ledger: SqliteLedger, mira: Partition) -> None:
    number = ledger.reserve(mira)
    ledger.accept(mira, [draft("in between")])
    assert ledger.accept(mira, [draft("late")], number)[0].item.seq_no == number


@pytest.mark.parametrize("user_id", HOSTILE_IDS, ids=ascii)
def test_user_ids_are_compared_exactly(ledger: SqliteLedger, user_id: str) -> None:
    for other in HOSTILE_IDS:
        ledger.accept(ledger.partition(other), [draft(f"canary of {other!r}")])
    found = ledger.find_partition(user_id)
    assert found is not None
    assert found.user_id == user_id
    assert texts(ledger, found) == [f"canary of {user_id!r}"]
    ledger.erase(found)
    assert sorted(ledger.users()) == sorted(u for u in HOSTILE_IDS if u != user_id)


# Idempotency and duplicates


def test_a_repeated_key_gives_the_same_item_also_after_the_slot_moved_on(ledger: SqliteLedger, mira: Partition) -> None:
    [first] = ledger.accept(mira, [draft("Lisbon", slot="city", idempotency_key="k")])
    ledger.accept(mira, [draft("Porto", slot="city", valid_from=at(1))])
    [again] = ledger.accept(mira, [draft("Lisbon", slot="city", idempotency_key="k", valid_from=at(2))])
    assert (again.item.id, again.fresh) == (first.item.id, False)
    assert texts(ledger, mira) == ["Porto"]


def test_a_key_is_one_users_own(ledger: SqliteLedger, mira: Partition) -> None:
    noor = ledger.partition("noor")
    one = ledger.accept(mira, [draft("x", idempotency_key="k")])[0]
    other = ledger.accept(noor, [draft("y", idempotency_key="k")])[0]
    assert one.fresh
    assert other.fresh


def test_a_duplicate_remembers_the_key_it_came_with(ledger: SqliteLedger, mira: Partition) -> None:
    [first] = ledger.accept(mira, [draft("x")])
    ledger.accept(mira, [draft("x", idempotency_key="k")])
    ledger.retract(mira, [first.item.id], at(1))
    assert ledger.accept(mira, [draft("x", idempotency_key="k")])[0].item.id == first.item.id
    assert texts(ledger, mira) == []


@pytest.mark.parametrize("other", ["  Likes   tea ", "Likes tea", "Likes tea!", "Likes\ntea."])
def test_the_same_words_are_one_item(ledger: SqliteLedger, mira: Partition, other: str) -> None:
    [first] = ledger.accept(mira, [draft("Likes tea.")])
    [second] = ledger.accept(mira, [draft(other)])
    assert (second.item.id, second.fresh) == (first.item.id, False)
    assert ledger.last_seq(mira) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Has 2 children", "Has 3 children"),
        ("Budget is 1.5 million", "Budget is 15 million"),
        ("Owes -5 euros", "Owes 5 euros"),
        ("Meets Anna on Monday", "Meets Anne on Monday"),
        ("Eats meat", "Eats no meat"),
        ("Does like jazz", "Does not like jazz"),
        ("Can't swim", "Can swim"),
        ("Uses C", "Uses C++"),
        ("Works with Go", "Works with go"),
    ],
)
def test_a_number_a_name_or_a_negation_makes_two_items(
    ledger: SqliteLedger, mira: Partition, one: str, other: str
) -> None:
    ledger.accept(mira, [draft(one), draft(other)])
    assert texts(ledger, mira) == [one, other]


def test_the_same_words_of_another_owner_type_or_user_are_their_own(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(mira, [draft("x"), draft("x", owner_agent="B"), draft("x", memory_type="task_context")])
    ledger.accept(ledger.partition("noor"), [draft("x")])
    assert ledger.counts() == {"users": 2, "items": 4, "current": 4, "unindexed": 4}


def test_one_fact_from_ten_threads_at_once_is_one_item(ledger: SqliteLedger, mira: Partition) -> None:
    for round_ in range(5):
        together = threading.Barrier(10)

        def add(_: int, text: str = f"fact {round_}", together: threading.Barrier = together) -> tuple[str, bool]:
            together.wait(20)
            [accepted] = ledger.accept(mira, [draft(text)])
            return accepted.item.id, accepted.fresh

        with ThreadPoolExecutor(10) as threads:
            outcomes = list(threads.map(add, range(10)))
        assert len({item_id for item_id, _ in outcomes}) == 1
        assert sum(fresh for _, fresh in outcomes) == 1
    assert ledger.last_seq(mira) == 5


def test_another_policy_supersedes_the_same_words(ledger: SqliteLedger, mira: Partition) -> None:
    [shared] = ledger.accept(mira, [draft("x", sharing_policy="shared")])
    [private] = ledger.accept(mira, [draft("x", sharing_policy="private", valid_from=at(1))])
    assert private.fresh
    assert private.replaced == (shared.item.id,)
    assert [(i.id, i.sharing_policy) for i in ledger.live_items(mira)] == [(private.item.id, "private")]
    assert [i.status for i in ledger.history(private.item.id)] == ["superseded", "current"]


def test_another_expiry_supersedes_the_same_words(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(mira, [draft("x", expires_at=at(1))])
    ledger.accept(mira, [draft("x", expires_at=at(9), valid_from=at(1))])
    assert [i.expires_at for i in ledger.live_items(mira)] == [at(9)]


# Slots and history


def test_the_newest_value_of_a_slot_is_current_and_the_older_ones_are_history(
    ledger: SqliteLedger, mira: Partition
) -> None:
    for day, city in enumerate(("Lisbon", "Porto", "Faro")):
        ledger.accept(mira, [draft(city, slot="city", valid_from=at(day))])
    [current] = ledger.live_items(mira)
    assert current.text == "Faro"
    chain = ledger.history(current.id)
    assert [(i.text, i.status, i.valid_to) for i in chain] == [
        ("Lisbon", "superseded", at(1)),
        ("Porto", "superseded", at(2)),
        ("Faro", "current", None),
    ]
    assert all(ledger.history(i.id) == chain for i in chain)


def test_a_value_that_held_earlier_goes_to_history_at_once(ledger: SqliteLedger, mira: Partition) -> None:
    [now] = ledger.accept(mira, [draft("Porto", slot="city", valid_from=at(5))])
    [late] = ledger.accept(mira, [draft("Lisbon", slot="city", valid_from=at(1))])
    assert late.fresh
    assert (late.item.status, late.item.valid_to, late.replaced) == ("superseded", at(5), ())
    assert texts(ledger, mira) == ["Porto"]
    assert [i.text for i in ledger.history(now.item.id)] == ["Lisbon", "Porto"]


def test_of_two_values_from_one_instant_the_later_write_wins(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(mira, [draft("Lisbon", slot="city"), draft("Porto", slot="city")])
    assert texts(ledger, mira) == ["Porto"]


def test_the_same_words_in_two_slots_are_two_values(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(mira, [draft("blue", slot="favourite_colour"), draft("blue", slot="car_colour")])
    assert [i.slot for i in ledger.live_items(mira)] == ["favourite_colour", "car_colour"]


def test_a_value_said_again_without_its_slot_is_that_value(ledger: SqliteLedger, mira: Partition) -> None:
    [named] = ledger.accept(mira, [draft("Porto", slot="city", sharing_policy="shared")])
    [again] = ledger.accept(mira, [draft("Porto", sharing_policy="shared")])
    assert not again.fresh
    [private] = ledger.accept(mira, [draft("Porto", sharing_policy="private")])
    assert private.replaced == (named.item.id,)
    assert [(i.slot, i.sharing_policy) for i in ledger.live_items(mira)] == [("city", "private")]


def test_naming_the_slot_of_what_was_said_without_one_replaces_it(ledger: SqliteLedger, mira: Partition) -> None:
    [loose] = ledger.accept(mira, [draft("Porto")])
    [named] = ledger.accept(mira, [draft("Porto", slot="city")])
    assert named.replaced == (loose.item.id,)


def test_a_slot_never_crosses_owners_types_or_users(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(
        mira,
        [
            draft("a", slot="city"),
            draft("b", slot="city", owner_agent="B"),
            draft("c", slot="city", memory_type="task_context"),
            draft("d", slot="City"),
        ],
    )
    ledger.accept(ledger.partition("noor"), [draft("e", slot="city")])
    assert texts(ledger, mira) == ["a", "b", "c", "d"]


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["s", "t"])), min_size=1, max_size=8))
@settings(max_examples=40)
def test_a_slot_holds_the_value_with_the_highest_time_and_number(writes: list[tuple[int, str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, closing(SqliteLedger(Path(folder) / "l.sqlite3")) as ledger:
        mira = ledger.partition("mira")
        for n, (day, slot) in enumerate(writes):
            ledger.accept(mira, [draft(f"value {n}", slot=slot, valid_from=at(day))])
        for slot in {slot for _, slot in writes}:
            expected = max((day, n) for n, (day, s) in enumerate(writes) if s == slot)[1]
            assert [i.text for i in ledger.live_items(mira) if i.slot == slot] == [f"value {expected}"]
        assert len(list(ledger.items(mira))) == len(writes)


def test_a_slot_overwritten_by_many_threads_has_exactly_one_value(ledger: SqliteLedger, mira: Partition) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: ledger.accept(mira, [draft(f"value {n}", slot="s")]), range(80)))
    [current] = ledger.live_items(mira)
    assert current.seq_no == 80
    assert len(ledger.history(current.id)) == 80


def test_a_retracted_item_stays_in_history_and_can_be_said_again(ledger: SqliteLedger, mira: Partition) -> None:
    [first] = ledger.accept(mira, [draft("x")])
    assert ledger.retract(mira, [first.item.id, "unknown"], at(1)) == [first.item.id]
    assert ledger.retract(mira, [first.item.id], at(2)) == []
    assert texts(ledger, mira) == []
    assert [(i.status, i.valid_to) for i in ledger.history(first.item.id)] == [("retracted", at(1))]
    assert ledger.accept(mira, [draft("x")])[0].fresh


def test_nobody_retracts_in_anothers_partition(ledger: SqliteLedger, mira: Partition) -> None:
    [item] = ledger.accept(mira, [draft("x")])
    assert ledger.retract(ledger.partition("noor"), [item.item.id], at(1)) == []
    assert texts(ledger, mira) == ["x"]


def test_history_of_an_unknown_item_is_empty(ledger: SqliteLedger) -> None:
    assert ledger.history("nothing") == []


def test_live_items_can_be_had_as_they_were_before_unsettled_writes(ledger: SqliteLedger, mira: Partition) -> None:
    [old] = ledger.accept(mira, [draft("Lisbon", slot="city")])
    [new] = ledger.accept(mira, [draft("Porto", slot="city", valid_from=at(5))])
    [late] = ledger.accept(mira, [draft("Faro", slot="city", valid_from=at(1))])
    assert new.replaced == (old.item.id,)
    before = ledger.live_items(mira, without=[new.item.id], standing=new.replaced)
    assert [(i.text, i.status, i.valid_to) for i in before] == [("Lisbon", "current", None)]
    assert late.item.id not in {i.id for i in before}


def test_reading_everything_goes_by_pages(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(mira, [draft(f"fact {n}") for n in range(1203)])
    assert [i.text for i in ledger.items(mira)] == [f"fact {n}" for n in range(1203)]
    assert sum(1 for _ in ledger.unindexed()) == 1203


def test_an_iteration_holds_no_snapshot_that_an_erasure_would_wait_for(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(mira, [draft(f"fact {n}") for n in range(600)])
    reading = ledger.items(mira)
    next(reading)
    assert ledger.erase(mira)["items"] == 600
    ledger.scrub()
    assert len(list(itertools.islice(reading, 600))) == 499


# What is owed to the index


def test_what_the_index_has_is_not_owed_and_can_be_owed_again(ledger: SqliteLedger, mira: Partition) -> None:
    accepted = ledger.accept(mira, [draft("a"), draft("b"), draft("old", slot="s")])
    [new] = ledger.accept(mira, [draft("new", slot="s", valid_from=at(1))])
    assert [u.item.text for u in ledger.unindexed()] == ["a", "b", "new"]
    assert [u.replaced for u in ledger.unindexed()] == [(), (), new.replaced]
    ledger.mark_indexed([accepted[0].item.id, new.item.id])
    assert [(u.partition, u.item.text) for u in ledger.unindexed()] == [(mira, "b")]
    assert ledger.mark_unindexed(mira) == 3
    assert ledger.mark_unindexed() == 3
    assert ledger.counts()["unindexed"] == 3


# Work that is left for later, and problems


def test_a_task_is_kept_with_its_number_until_it_is_finished(
    open_ledger: Callable[..., SqliteLedger], ledger: SqliteLedger, mira: Partition
) -> None:
    ledger.accept(mira, [draft("before")])
    first = ledger.defer(mira, "A", "s", {"text": "lone \ud800 surrogate"}, "k1")
    second = ledger.defer(mira, "A", None, {"text": "two"}, None)
    other = ledger.defer(mira, "B", None, {"text": "of another agent"}, "k1")
    assert [d.seq_no for d in (first, second, other)] == [2, 3, 4]
    ledger.close()
    again = open_ledger()
    assert again.deferred("A") == [first, second]
    again.finish_deferred(first)
    again.finish_deferred(first)
    assert again.deferred("A") == [second]
    assert again.last_seq(mira) == 4


def test_a_key_that_waits_already_gives_the_task_that_is_there(ledger: SqliteLedger, mira: Partition) -> None:
    first = ledger.defer(mira, "A", "s", {"n": 1}, "k")
    assert ledger.defer(mira, "A", "s", {"n": 2}, "k") == first
    assert ledger.last_seq(mira) == 1
    ledger.finish_deferred(first)
    assert ledger.defer(mira, "A", "s", {"n": 2}, "k").seq_no == 2


def test_an_erased_user_leaves_no_task_and_takes_none(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.defer(mira, "A", None, {"n": 1}, None)
    ledger.erase(mira)
    assert ledger.deferred("A") == []
    with pytest.raises(UserErased):
        ledger.defer(mira, "A", None, {"n": 2}, None)
    ledger.add_problem(mira, {"n": 1}, keep=10)
    assert ledger.problems(mira) == []


def test_the_newest_problems_of_each_user_are_kept(ledger: SqliteLedger, mira: Partition) -> None:
    noor = ledger.partition("noor")
    ledger.add_problem(noor, {"n": "noor's"}, keep=3)
    for n in range(10):
        ledger.add_problem(mira, {"n": n}, keep=3)
    assert ledger.problems(mira) == [{"n": 9}, {"n": 8}, {"n": 7}]
    assert ledger.problems(mira, 1) == [{"n": 9}]
    assert ledger.problems(noor) == [{"n": "noor's"}]


# Erasure and epochs


def test_erasing_counts_what_it_removed_and_leaves_others_alone(ledger: SqliteLedger, mira: Partition) -> None:
    noor = ledger.partition("noor")
    for partition in (mira, noor):
        ledger.accept(partition, [draft("x", idempotency_key="k"), draft("y")])
        ledger.register_session(f"s-{partition.user_id}", partition.user_id)
        ledger.observe("A", "s", partition.user_id)
        ledger.audit(partition, [{"n": 1}])
        ledger.defer(partition, "A", None, {"n": 1}, "k")
        ledger.add_problem(partition, {"n": 1}, keep=10)
    assert ledger.erase(mira) == {
        "lessons": 0, "readings": 0, "items": 2, "writes": 1, "sessions": 1, "observed": 1, "audit": 1, "deferred": 1,
        "problems": 1, "users": 1,
    }  # fmt: skip
    assert set(ledger.erase(mira).values()) == {0}
    assert ledger.find_partition("mira") is None
    assert texts(ledger, noor) == ["x", "y"]
    assert ledger.session_user("s-noor") == "noor"
    assert ledger.observed("A", "s") == {"noor"}
    assert ledger.audit_entries(noor) == [{"n": 1}]


def test_who_comes_back_gets_a_new_epoch_and_higher_numbers_and_the_old_epoch_is_refused(
    ledger: SqliteLedger, mira: Partition
) -> None:
    ledger.accept(mira, [draft("a"), draft("b")])
    ledger.erase(mira)
    back = ledger.partition("mira")
    assert back.epoch > mira.epoch
    assert ledger.accept(back, [draft("c")])[0].item.seq_no > 2
    for attempt in (
        lambda: ledger.accept(mira, [draft("late")]),
        lambda: ledger.retract(mira, ["x"], at(1)),
        lambda: ledger.reserve(mira),
    ):
        with pytest.raises(UserErased, match="was erased"):
            attempt()
    ledger.audit(mira, [{"late": True}])
    assert ledger.audit_entries(mira) == []
    assert texts(ledger, back) == ["c"]


def test_an_epoch_is_never_given_twice_also_after_a_restart(open_ledger: Any) -> None:
    seen = set()
    for _ in range(3):
        with closing(open_ledger()) as ledger:
            partition = ledger.partition("mira")
            seen.add(partition.epoch)
            ledger.erase(partition)
    assert len(seen) == 3


def test_an_erasure_is_remembered_until_it_is_finished_everywhere(open_ledger: Any) -> None:
    with closing(open_ledger()) as ledger:
        mira = ledger.partition("mira")
        ledger.erase(mira)
        assert ledger.unfinished_erasures() == [mira.epoch]
    again = open_ledger()
    assert again.unfinished_erasures() == [mira.epoch]
    again.finish_erasure(mira.epoch)
    assert again.unfinished_erasures() == []


def test_no_byte_of_an_erased_user_is_left_in_any_file(ledger: SqliteLedger, tmp_path: Path) -> None:
    noor = ledger.partition("noor-keeps")
    for n in range(40):
        mira = ledger.partition("mira-goes")
        ledger.accept(mira, [draft(f"CANARYMIRA {n} " + "x" * 3000, idempotency_key=f"CANARYKEY{n}")])
        ledger.accept(noor, [draft(f"CANARYNOOR {n} " + "x" * 3000)])
    ledger.erase(mira)
    ledger.scrub()
    files = {f.name: f.read_bytes() for f in tmp_path.iterdir()}
    assert any(b"CANARYNOOR" in content for content in files.values())
    for word in (b"CANARYMIRA", b"CANARYKEY", b"mira-goes"):
        assert [name for name, content in files.items() if word in content] == []


# Sessions, audit, meta


def test_a_session_is_the_first_ones_for_good(ledger: SqliteLedger) -> None:
    ledger.register_session("s", "mira")
    ledger.register_session("s", "mira")
    with pytest.raises(SessionTaken, match="another user"):
        ledger.register_session("s", "noor")
    assert ledger.session_user("s") == "mira"
    assert ledger.session_user("t") is None


def test_audit_entries_come_newest_first_and_limited(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.audit(mira, [{"n": n} for n in range(5)])
    assert [e["n"] for e in ledger.audit_entries(mira)] == [4, 3, 2, 1, 0]
    assert [e["n"] for e in ledger.audit_entries(mira, 2)] == [4, 3]


def test_meta_is_kept_and_overwritten(ledger: SqliteLedger) -> None:
    assert ledger.get_meta("k") is None
    ledger.set_meta("k", "one")
    ledger.set_meta("k", "two")
    assert ledger.get_meta("k") == "two"


# Opening, and what can be wrong with a file


def test_a_reader_without_the_lock_sees_what_a_writer_has_committed(open_ledger: Any) -> None:
    writer = open_ledger()
    mira = writer.partition("mira")
    writer.accept(mira, [draft("one")])
    reader = open_ledger(read_only=True)
    assert texts(reader, mira) == ["one"]
    writer.accept(mira, [draft("two")])
    assert texts(reader, mira) == ["one", "two"]
    with pytest.raises(StoreUnavailable):
        reader.set_meta("k", "v")
    writer.close()
    assert texts(reader, mira) == ["one", "two"]


def test_a_closed_store_can_be_read_without_a_writer(open_ledger: Any) -> None:
    with closing(open_ledger()) as ledger:
        mira = ledger.partition("mira")
        ledger.accept(mira, [draft("one")])
    assert texts(open_ledger(read_only=True), mira) == ["one"]


def test_reading_a_store_that_is_not_there_says_so_and_makes_none(open_ledger: Any, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="no memory store"):
        open_ledger("missing/ledger.sqlite3", read_only=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("content", [b"not a ledger at all" * 500, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_is_no_ledger_is_refused_and_left_as_it_is(
    open_ledger: Any, tmp_path: Path, content: bytes, read_only: bool
) -> None:
    file = tmp_path / "ledger.sqlite3"
    file.write_bytes(content)
    with pytest.raises(LedgerDamaged, match=r"ledger\.sqlite3"):
        open_ledger(read_only=read_only)
    assert file.read_bytes() == content


def test_a_page_overwritten_with_noise_is_damage_and_not_an_empty_store(open_ledger: Any, tmp_path: Path) -> None:
    with closing(open_ledger()) as ledger:
        mira = ledger.partition("mira")
        ledger.accept(mira, [draft(f"fact {n} " + "x" * 500) for n in range(200)])
    file = tmp_path / "ledger.sqlite3"
    content = bytearray(file.read_bytes())
    content[4096 * 4 :] = b"\xa5" * (len(content) - 4096 * 4)
    file.write_bytes(content)
    with pytest.raises(LedgerDamaged, match="damaged"):
        list(open_ledger().items(mira))


def test_a_row_that_is_no_item_is_damage(ledger: SqliteLedger, mira: Partition) -> None:
    [accepted] = ledger.accept(mira, [draft("x")])
    ledger._writer.execute("UPDATE items SET sharing_policy = 'everybody'")
    with pytest.raises(LedgerDamaged, match=accepted.item.id):
        ledger.live_items(mira)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_format_from_the_future_is_refused_and_left_as_it_is(
    open_ledger: Any, tmp_path: Path, read_only: bool
) -> None:
    file = tmp_path / "ledger.sqlite3"
    with closing(sqlite3.connect(file)) as db:
        db.executescript(
            "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO meta VALUES('schema', '99');"
        )
    with pytest.raises(LedgerDamaged, match=r"format '99'.*reads '2'"):
        open_ledger(read_only=read_only)
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall() == [("meta",)]


@pytest.mark.parametrize("read_only", [False, True])
def test_another_programs_database_is_refused_and_left_as_it_is(
    open_ledger: Any, tmp_path: Path, read_only: bool
) -> None:
    file = tmp_path / "ledger.sqlite3"
    with closing(sqlite3.connect(file)) as db:
        db.executescript("CREATE TABLE items(name TEXT); INSERT INTO items VALUES('a spoon');")
    with pytest.raises(LedgerDamaged, match="not a ledger"):
        open_ledger(read_only=read_only)
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("items",)]


def test_a_path_through_a_file_is_unavailable(open_ledger: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="cannot use"):
        open_ledger("file/ledger.sqlite3")


def test_after_closing_every_call_says_so_and_closing_again_is_fine(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.close()
    ledger.close()
    for attempt in (
        lambda: ledger.partition("noor"),
        lambda: ledger.accept(mira, [draft("x")]),
        lambda: ledger.live_items(mira),
        lambda: list(ledger.items(mira)),
        lambda: ledger.get_meta("k"),
        lambda: ledger.erase(mira),
    ):
        with pytest.raises(KernelClosed, match="closed"):
            attempt()


def test_a_full_disk_is_unavailable_and_stores_nothing(ledger: SqliteLedger, mira: Partition) -> None:
    ledger.accept(mira, [draft("before")])
    pages = ledger._writer.execute("PRAGMA page_count").fetchone()[0]
    ledger._writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreUnavailable, match="full"):
        ledger.accept(mira, [draft("x" * 200_000)])
    assert texts(ledger, mira) == ["before"]
    ledger._writer.execute("PRAGMA max_page_count = 1000000")
    ledger.accept(mira, [draft("after")])
    assert texts(ledger, mira) == ["before", "after"]


def test_readers_and_writers_in_many_threads_see_whole_commits(ledger: SqliteLedger, mira: Partition) -> None:
    stop = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not stop.is_set():
            seen.append(len(ledger.live_items(mira)))

    with ThreadPoolExecutor(5) as threads:
        readers = [threads.submit(read) for _ in range(3)]
        for n in range(40):
            ledger.accept(mira, [draft(f"{n} a"), draft(f"{n} b")])
        stop.set()
        for reader in readers:
            reader.result(20)
    assert all(count % 2 == 0 for count in seen)


# What was said, and what hangs on it


def said(turn: str, message_id: str = "m", thread_id: str = "t") -> Source:
    return Source(thread_id=thread_id, message_id=message_id, speaker="user", turn=turn)


def read(ledger: SqliteLedger, partition: Partition, turn: str, *message_ids: str, parent: str = "") -> None:
    ledger.follow(partition, "t", ThreadChange(turn, parent, dict.fromkeys(message_ids or ("m",), "digest")), at(0))


def withdraw(ledger: SqliteLedger, partition: Partition, turn: str, because: str = "gone") -> Revised:
    numbers = [r.n for r in ledger.readings(partition, "t") if r.turn == turn]
    return ledger.follow(partition, "t", ThreadChange(turn, "", withdrawn=dict.fromkeys(numbers, because)), at(5))


def reinstate(ledger: SqliteLedger, partition: Partition, turn: str) -> Revised:
    numbers = [r.n for r in ledger.readings(partition, "t") if r.turn == turn]
    return ledger.follow(partition, "t", ThreadChange(turn, "", reinstated=numbers), at(6))


def test_an_item_is_taken_back_with_its_only_source_and_says_why(ledger: SqliteLedger, mira: Partition) -> None:
    read(ledger, mira, "1")
    [taught] = ledger.accept(mira, [draft("tea", source=said("1"))])
    ledger.mark_indexed([taught.item.id])
    revised = withdraw(ledger, mira, "1", "its message was edited")
    assert (list(revised.gone), [i.text for i in revised.taken_back]) == ([taught.item.id], ["tea"])
    [item] = ledger.history(taught.item.id)
    assert (item.status, item.reason, item.valid_to) == ("retracted", "its message was edited", at(5))
    assert ledger.outdated_messages(mira) == set(), "the message may say something else now"
    assert [i.id for i in reinstate(ledger, mira, "1").restored] == [taught.item.id]
    [item] = ledger.live_items(mira)
    assert (item.reason, item.valid_to) == (None, None)
    assert [u.item.id for u in ledger.unindexed()] == [taught.item.id], "the index is owed it again"


def test_a_change_of_many_items_is_one_commit(ledger: SqliteLedger, mira: Partition) -> None:
    read(ledger, mira, "1")
    ledger.accept(mira, [draft(f"fact {n}", source=said("1")) for n in range(30)])
    statements: list[str] = []
    ledger._writer.set_trace_callback(statements.append)
    assert len(withdraw(ledger, mira, "1").taken_back) == 30
    assert [s for s in statements if s.split()[0] in ("BEGIN", "COMMIT")] == ["BEGIN IMMEDIATE", "COMMIT"]


@pytest.mark.parametrize("other", [said("2", "n"), Source(), Source(thread_id="t", message_id="m"), said("?", "?")])
def test_an_item_with_another_source_stays(ledger: SqliteLedger, mira: Partition, other: Source) -> None:
    read(ledger, mira, "1")
    read(ledger, mira, "2", "n", parent="1")
    for source in (said("1"), other):
        ledger.accept(mira, [draft("tea", source=source)])
    assert withdraw(ledger, mira, "1") == Revised()
    assert texts(ledger, mira) == ["tea"]


def test_a_source_is_found_by_message_and_turn_then_by_message_then_by_turn(
    ledger: SqliteLedger, mira: Partition
) -> None:
    read(ledger, mira, "1", "m")
    read(ledger, mira, "2", "n", parent="1")
    ledger.accept(
        mira, [draft("of the message", source=said("2", "m")), draft("of the turn", source=said("2", "reply"))]
    )
    assert [i.text for i in ledger.taught(mira, said("1", "m"))] == ["of the message"]
    assert [i.text for i in ledger.taught(mira, said("2", "n"))] == ["of the turn"]
    assert ledger.taught(mira, said("2", "n", thread_id="other")) == []
    assert ledger.taught(ledger.partition("noor"), said("2", "n")) == []


def test_what_comes_too_late_for_its_turn_is_history_and_replaces_and_retracts_nothing(
    ledger: SqliteLedger, mira: Partition
) -> None:
    read(ledger, mira, "1")
    withdraw(ledger, mira, "1", "abandoned")
    [old] = ledger.accept(mira, [draft("Lisbon", slot="city")])
    [late] = ledger.accept(mira, [draft("Porto", slot="city", source=said("1"), valid_from=at(1))])
    assert (late.item.status, late.item.reason, late.replaced) == ("retracted", "abandoned", ())
    assert ledger.retract(mira, [old.item.id], at(2), said("1")) == []
    assert texts(ledger, mira) == ["Lisbon"]
    reinstate(ledger, mira, "1")
    assert texts(ledger, mira) == ["Porto"]


def test_a_fallen_value_gives_the_slot_back_to_the_newest_that_is_left(ledger: SqliteLedger, mira: Partition) -> None:
    for n, city in enumerate(["Lisbon", "Porto", "Faro"]):
        read(ledger, mira, str(n), f"m{n}", parent=str(n - 1) if n else "")
        ledger.accept(mira, [draft(city, slot="city", source=said(str(n), f"m{n}"), valid_from=at(n))])
    withdraw(ledger, mira, "1")
    assert texts(ledger, mira) == ["Faro"]
    withdraw(ledger, mira, "2")
    [lisbon] = ledger.live_items(mira)
    assert (lisbon.text, lisbon.valid_to) == ("Lisbon", None)
    reinstate(ledger, mira, "2")
    assert texts(ledger, mira) == ["Faro"]
    assert [(i.text, i.status, i.valid_to) for i in ledger.history(lisbon.id)] == [
        ("Lisbon", "superseded", at(2)),
        ("Porto", "retracted", at(2)),
        ("Faro", "current", None),
    ]


def test_a_value_of_another_slot_that_says_the_same_is_left_as_it_is(ledger: SqliteLedger, mira: Partition) -> None:
    read(ledger, mira, "1")
    ledger.accept(mira, [draft("Porto", slot="birthplace"), draft("Faro", slot="birthplace", valid_from=at(1))])
    ledger.accept(mira, [draft("Porto", slot="city", source=said("1"))])
    withdraw(ledger, mira, "1")
    assert texts(ledger, mira) == ["Faro"]


def test_a_retraction_that_falls_gives_back_what_it_retracted_unless_others_stand(
    ledger: SqliteLedger, mira: Partition
) -> None:
    [tea, rain] = ledger.accept(mira, [draft("tea"), draft("rain")])
    for n, (ids, source) in enumerate([([tea.item.id], said("0", "m0")), ([rain.item.id], None)]):
        read(ledger, mira, str(n), f"m{n}")
        ledger.retract(mira, ids, at(1), source)
    assert withdraw(ledger, mira, "1") == Revised()
    assert [i.text for i in withdraw(ledger, mira, "0").restored] == ["tea"]
    reinstate(ledger, mira, "0")
    assert texts(ledger, mira) == []


def test_what_a_forgotten_record_did_stays_for_good(ledger: SqliteLedger, mira: Partition) -> None:
    [tea] = ledger.accept(mira, [draft("tea")])
    read(ledger, mira, "1")
    ledger.accept(mira, [draft("rain", source=said("1"))])
    ledger.retract(mira, [tea.item.id], at(1), said("1"))
    read(ledger, mira, "2", "n")
    ledger.accept(mira, [draft("snow", source=said("2", "n"))])
    withdraw(ledger, mira, "2")
    ledger.follow(mira, "t", ThreadChange("3", "", {"o": "digest"}, anew=True), at(7))
    assert [r.turn for r in ledger.readings(mira, "t")] == ["3"]
    assert texts(ledger, mira) == ["rain"]
    assert ledger.follow(mira, "t", ThreadChange("1", "", withdrawn={1: "too late"}), at(8)) == Revised()
    assert texts(ledger, mira) == ["rain"]


def test_readings_are_one_users_own(ledger: SqliteLedger, mira: Partition) -> None:
    noor = ledger.partition("noor")
    for partition in (mira, noor):
        read(ledger, partition, "1")
        ledger.accept(partition, [draft("tea", source=said("1"))])
    withdraw(ledger, mira, "1")
    assert (texts(ledger, mira), texts(ledger, noor)) == ([], ["tea"])
    ledger.erase(mira)
    with pytest.raises(UserErased):
        read(ledger, mira, "2")
    assert [r.standing for r in ledger.readings(noor, "t")] == [True]
    assert ledger.readings(mira, "t") == []


def _as_before_readings(file: Path) -> None:
    """Bring a ledger to the format that knew nothing of what was said in threads."""
    with closing(sqlite3.connect(file)) as db:
        db.executescript(
            "DROP TABLE lessons; DROP TABLE readings; DROP INDEX items_alike; DROP INDEX items_of_slot;"
            "ALTER TABLE items DROP COLUMN reason; ALTER TABLE items DROP COLUMN anchored;"
            "ALTER TABLE items DROP COLUMN denied; UPDATE meta SET value = '1' WHERE key = 'schema';"
        )


def test_a_store_of_the_format_before_is_brought_up_to_date_and_means_the_same(
    open_ledger: Any, tmp_path: Path
) -> None:
    with closing(open_ledger()) as ledger:
        mira = ledger.partition("mira")
        [_, _, tea] = ledger.accept(
            mira,
            [
                draft("Lisbon", slot="city"),
                draft("Porto", slot="city", valid_from=at(1)),
                draft("tea", source=said("0")),
            ],
        )
        ledger.retract(mira, [tea.item.id], at(2))
        before = list(ledger.items(mira))
    _as_before_readings(tmp_path / "ledger.sqlite3")
    with closing(open_ledger(read_only=True)) as reader:
        assert list(reader.items(mira)) == before, "can be read without being changed"
    ledger = open_ledger()
    assert list(ledger.items(mira)) == before
    read(ledger, mira, "1")
    ledger.accept(
        mira, [draft("Faro", slot="city", source=said("1"), valid_from=at(3)), draft("Porto!", source=said("1"))]
    )
    withdraw(ledger, mira, "1")
    assert texts(ledger, mira) == ["Porto"], (
        "what was there before is nobody's to take back, what was retracted stays so"
    )
