"""Invariant 1 (KMSM Eq. 1, 2): another agent's item is visible only if its policy is exactly "shared"."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_kernel import MemoryKernel, visible
from memory_kernel.providers.memory import InMemoryProvider

ABSENT = object()
MALFORMED: list[Any] = [
    ABSENT, None, "", "private", "Shared", "SHARED", "shared ", " shared", "shared\n", "shared\x00", "sha\u200bred",
    "ѕhared", "shared,private", "public", "all", b"shared", 7, 1, True, 0.5, ["shared"], ("shared",), {"shared"},
    {"shared": True}, object(), SimpleNamespace(value="shared"), type("Shared", (), {}),
]  # fmt: skip
OWNERS: list[Any] = ["A", "B", "a", "A ", "", None, 7, b"A", ["A"], ABSENT]


def item(owner: Any, policy: Any) -> SimpleNamespace:
    fields = {"owner_agent": owner, "sharing_policy": policy}
    return SimpleNamespace(**{name: value for name, value in fields.items() if value is not ABSENT})


@pytest.mark.parametrize("policy", MALFORMED, ids=repr)
def test_anything_but_exactly_shared_is_private(policy: Any) -> None:
    assert not visible(item("A", policy), "B")
    assert visible(item("A", policy), "A")


def test_shared_is_visible_to_every_agent() -> None:
    assert all(visible(item("A", "shared"), reader) for reader in ("A", "B", "", "anybody"))


@pytest.mark.parametrize("owner", [None, 7, b"A", ["A"], ABSENT], ids=repr)
def test_an_item_without_a_proper_owner_is_visible_to_nobody(owner: Any) -> None:
    assert not any(visible(item(owner, policy), reader) for policy in ("shared", "private") for reader in ("A", ""))


def test_the_whole_table_agrees_with_the_equation() -> None:
    for owner, policy, reader in product(OWNERS, [*MALFORMED, "shared"], ["A", "B", "a", "A ", ""]):
        expected = isinstance(owner, str) and (owner == reader or (type(policy) is str and policy == "shared"))
        assert visible(item(owner, policy), reader) is expected, (owner, policy, reader)


@given(st.text(), st.one_of(st.text(), st.none(), st.integers(), st.sampled_from(["shared", "private"])), st.text())
def test_visible_is_ownership_or_exactly_shared(owner: str, policy: Any, reader: str) -> None:
    assert visible(item(owner, policy), reader) == (owner == reader or policy == "shared")


@given(st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from(["shared", "private", "Shared", None]))))
def test_the_filter_of_a_provider_keeps_exactly_the_visible_in_order(rows: list[tuple[str, Any]]) -> None:
    items = [item(*row) for row in rows]
    assert InMemoryProvider().apply_sharing_filter(items, "A") == [i for i in items if visible(i, "A")]


def test_a_provider_cannot_have_a_filter_of_its_own() -> None:
    assert getattr(InMemoryProvider.apply_sharing_filter, "__final__", False)


@pytest.mark.parametrize("policy", [p for p in MALFORMED if p is not ABSENT and p != "private"], ids=repr)
def test_a_write_with_a_malformed_policy_is_stored_as_private_and_says_so(
    kernel: MemoryKernel, policy: Any, caplog: pytest.LogCaptureFixture
) -> None:
    writer, reader = kernel.register_agent("A", may_write={"profile"}), kernel.register_agent("B")
    writer.create_memory("the canary sings", memory_type="profile", sharing_policy=policy, user_id="mira")
    assert [i.sharing_policy for i in kernel.export_user("mira")] == ["private"]
    assert reader.inject("canary", user_id="mira").block == ""
    assert "canary" in writer.inject("canary", user_id="mira").block
    assert "stored as private" in caplog.text


@pytest.mark.parametrize("way", ["inject", "recall"])
def test_every_way_out_is_filtered(kernel: MemoryKernel, way: str) -> None:
    writer, reader = kernel.register_agent("A", may_write={"profile"}), kernel.register_agent("B")
    for policy in ("private", "shared"):
        writer.create_memory(f"{policy} canary", memory_type="profile", sharing_policy=policy, user_id="mira")
    found = (
        reader.recall("canary", user_id="mira") if way == "recall" else reader.inject("canary", user_id="mira").items
    )
    assert [i.text for i in found] == ["shared canary"]


def test_no_decision_names_a_withheld_item_and_the_audit_does(kernel: MemoryKernel) -> None:
    writer, reader = kernel.register_agent("A", may_write={"profile"}), kernel.register_agent("B")
    hidden = writer.create_memory("private canary", memory_type="profile", user_id="mira").item_id
    shown = writer.create_memory("canary", memory_type="profile", sharing_policy="shared", user_id="mira").item_id
    injection = reader.inject("canary", user_id="mira")
    assert [d.item_id for d in injection.decisions] == [shown]
    assert injection.considered == 1
    assert hidden not in injection.model_dump_json(exclude={"messages"})
    assert kernel.flush()
    [entry] = kernel.audit("mira")
    assert entry["withheld"] == [{"id": hidden, "owner": "A"}]
    assert entry["injected"] == [shown]


def test_a_provider_class_cannot_have_a_sharing_filter_of_its_own() -> None:
    with pytest.raises(TypeError, match="cannot override apply_sharing_filter"):
        type("Generous", (InMemoryProvider,), {"apply_sharing_filter": lambda self, items, agent: list(items)})


def test_a_provider_that_swaps_the_sharing_filter_widens_nothing(make_kernel: Callable[..., MemoryKernel]) -> None:
    provider = InMemoryProvider()
    provider.apply_sharing_filter = lambda items, agent: list(items)  # type: ignore[method-assign, misc]
    kernel = make_kernel(provider=provider)
    kernel.register_agent("A", may_write={"profile"}).create_memory("a secret", memory_type="profile", user_id="mira")
    assert kernel.register_agent("B").inject("secret?", user_id="mira").block == ""
