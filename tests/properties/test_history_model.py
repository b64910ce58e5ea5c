"""However a thread is edited, forked and taken up again, what holds is what the branch that is kept says."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from memory_kernel import BoundAgent, KernelConfig, MemoryKernel
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.embedders import Words

FACTS = ["tea", "rain"]
SLOTS = ["city"]

Lesson = tuple[str, str]
"""``("tea", "+")`` and ``("tea", "-")``: a fact said and retracted; ``("city", "Porto")``: the value of a slot."""

lessons = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(FACTS), st.sampled_from("+-")),
        st.tuples(st.sampled_from(SLOTS), st.sampled_from(["Porto", "Lisbon"])),
    ),
    max_size=3,
    unique_by=lambda lesson: lesson[0],
)


class Message(NamedTuple):
    id: str
    said: tuple[Lesson, ...]


class Checkpoint(NamedTuple):
    """What a checkpointer keeps of a turn. `read`: the readings so far, oldest first, with those that were replaced."""

    turn: str | None
    messages: tuple[Message, ...]
    read: tuple[Message, ...]


operations = st.lists(
    st.tuples(st.sampled_from(["say", "fork", "fork", "edit", "remove", "again"]), lessons, st.integers(0, 5)),
    min_size=2,
    max_size=12,
)


class World:
    """A kernel and a thread in it, with what a checkpointer would keep."""

    def __init__(self, kernel: MemoryKernel) -> None:
        self.kernel = kernel
        self.agent: BoundAgent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
        self.checkpoints = [Checkpoint(None, (), ())]
        self.ids = itertools.count()

    def turn(self, before: Checkpoint, messages: tuple[Message, ...], new: tuple[Message, ...], *, back: bool) -> None:
        shown = (*messages, *new)
        turn = self.kernel.begin_turn(
            "mira",
            "t",
            {m.id: repr(m.said) for m in shown},
            new=[m.id for m in new],
            after=before.turn,
            from_checkpoint=back,
        )
        reads = tuple(m for m in shown if m.id in turn.edited or m in new)
        for message in reads:
            self.teach(turn.name, message)
        left = {m.id for m in shown}
        read = tuple(m for m in before.read if m.id in left and m.id not in {r.id for r in reads})
        self.checkpoints.append(Checkpoint(turn.name, shown, (*read, *reads)))

    def teach(self, turn: str, message: Message) -> None:
        source = {"thread_id": "t", "message_id": message.id, "turn": turn}
        for name, value in message.said:
            if value == "-":
                for item in self.agent.own_items("profile"):
                    if item.text == name:
                        self.agent.retract_memory(item.id, source=source)
            else:
                slot, text = (None, name) if value == "+" else (name, value)
                self.agent.create_memory(text, memory_type="profile", slot=slot, source=source)

    def holds(self) -> set[tuple[str | None, str]]:
        return {(i.slot, i.text) for i in self.agent.own_items("profile")}


def expected(read: tuple[Message, ...]) -> set[tuple[str | None, str]]:
    """What somebody knows who has heard these messages and nothing else, in this order."""
    facts: dict[str, str | None] = {}
    for message in read:
        for name, value in message.said:
            if value == "-":
                facts.pop(name, None)
            else:
                facts[name] = None if value == "+" else value
    return {(None, name) if value is None else (name, value) for name, value in facts.items()}


def retracts(message: Message) -> bool:
    """Whether it retracts something. Changing such a message in place, with later ones kept, is left out: what they
    retract as well was retracted already when they were read, and is not on record as theirs."""
    return any(value == "-" for _, value in message.said)


@given(operations)
@settings(max_examples=120)
def test_what_holds_is_what_the_kept_branch_says(steps: list[tuple[str, list[Lesson], int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        config = KernelConfig(data_dir=Path(folder), relevance_threshold=0.0)
        with MemoryKernel.open(config, provider=InMemoryProvider(), embeddings=Words(in_process=True)) as kernel:
            world = World(kernel)
            for operation, said, pick in steps:
                newest = world.checkpoints[-1]
                new = (Message(f"m{next(world.ids)}", tuple(said)),)
                messages: Any = newest.messages
                match operation:
                    case "fork":
                        before = world.checkpoints[pick % len(world.checkpoints)]
                        world.turn(before, before.messages, new, back=True)
                    case "edit" if messages and not retracts(messages[pick % len(messages)]):
                        n = pick % len(messages)
                        edited = messages[n]._replace(said=(*said, ("edited", str(next(world.ids)))))
                        world.turn(newest, (*messages[:n], edited, *messages[n + 1 :]), new, back=False)
                    case "remove" if len(messages) > 1 and not retracts(messages[1 + pick % (len(messages) - 1)]):
                        n = 1 + pick % (len(messages) - 1)
                        world.turn(newest, (*messages[:n], *messages[n + 1 :]), new, back=False)
                    case "again" if len(world.checkpoints) > 1:
                        before, after = world.checkpoints[-2:]
                        if after.messages and after.messages[:-1] == before.messages:
                            world.turn(before, before.messages, after.messages[-1:], back=True)
                    case _:
                        world.turn(newest, messages, new, back=False)
                assert world.holds() == expected(world.checkpoints[-1].read), world.checkpoints
