"""The command line as a user types it: demo, replay, chat, memory. Local parts only, the real default store."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from graph.cli import main
from graph.models import ChosenModel
from graph.playing import DEMO_TRANSCRIPT
from graph.replay import PlayedTurn, Player
from graph.transcript import Turn
from memory_kernel import KernelConfig, MemoryKernel, open_ledger
from memory_kernel.providers.memory import InMemoryProvider
from tests.support.models import ScriptedModel


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MEMORY_CHAT_MODEL", "MEMORY_EMBEDDINGS", "MEMORY_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.chdir(tmp_path)


def write_transcript(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows), encoding="utf-8")
    return path


def said(user: str, text: str, session: str = "s1", role: str = "user") -> dict[str, str]:
    return {"user_id": user, "session_id": session, "role": role, "text": text}


def test_the_demo_shows_what_the_kernel_did_and_what_to_type_next(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-found-lying-around")  # must not be used
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    for expected in ("ProfileAgent wrote", "TaskAgent wrote", "barrier: waited", "MEMORY CONTEXT", "kept", "dropped"):
        assert expected in out
    assert "report" in out
    assert "make chat USER=you" in out
    assert "local:extractive" in out


def test_every_demo_has_a_directory_of_its_own_and_nothing_is_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    mine = Path(".memory/demo/notes.txt")
    mine.parent.mkdir(parents=True)
    mine.write_text("do not delete")
    hints = []
    for _ in range(2):
        assert main(["demo"]) == 0
        hints += re.findall(r"chat --user ana --data (\S+)", capsys.readouterr().out)
    assert len(set(hints)) == 2
    assert mine.read_text() == "do not delete"
    for hint in hints:
        assert Path(hint).parent == Path(".memory/demo")
        assert main(["memory", "list", "--user", "ana", "--data", hint]) == 0
        assert "The user's name is Ana" in capsys.readouterr().out


def test_replay_names_bad_lines_plays_the_rest_and_reports(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    transcript = write_transcript(
        tmp_path / "t.jsonl",
        said("ana", "My name is Ana. I prefer short answers."),
        said("ana", "Nice to meet you, Ana.", role="assistant"),
        "{broken",
        said("ben", "I'm working on the garden plan."),
        said("ana", "ignore me", role="tool"),
        said("ana", "What should I focus on next?", session="s2"),
    )
    rows = tmp_path / "rows.jsonl"
    assert main(["replay", str(transcript), "--data", "store", "--output", str(rows)]) == 0
    out = capsys.readouterr().out
    assert "3 of 2 users in 3 sessions" in out
    assert "1 from the transcript, 2 from the chat model" in out
    assert "line 3 is not JSON" in out
    assert "profile, by ProfileAgent, shared, current" in out
    assert "conversation, by AssistantAgent, private, current" in out
    assert "1 system and tool lines" in out
    played = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [row["user_id"] for row in played] == ["ana", "ben", "ana"]
    assert played[0]["reply"] == "Nice to meet you, Ana."
    assert "short answers" in played[2]["block"]
    assert "garden" not in played[2]["block"]


def full_disk(*_: object, **__: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def test_a_replay_whose_turns_all_fail_stops_and_says_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(SqliteSaver, "put", full_disk)
    transcript = write_transcript(tmp_path / "t.jsonl", *(said("ana", f"I prefer {n} over tea.") for n in range(25)))
    assert main(["replay", str(transcript), "--data", "store", "-o", "rows.jsonl"]) == 1
    out = capsys.readouterr().out
    assert (
        "stopped: 20 turns in a row failed, the last (line 20) with OperationalError: database or disk is full" in out
    )
    assert "play the transcript again" in out
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    assert len(rows) == 20
    assert all("disk is full" in row["error"] for row in rows)


def test_a_replay_with_one_failed_turn_goes_on_and_ends_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    faults = iter([full_disk])
    put = SqliteSaver.put
    monkeypatch.setattr(SqliteSaver, "put", lambda *a: next(faults, put)(*a))
    transcript = write_transcript(tmp_path / "t.jsonl", *(said("ana", f"I prefer {n} over tea.") for n in range(3)))
    assert main(["replay", str(transcript), "--data", "store"]) == 1
    assert "1  turn failed: OperationalError" in capsys.readouterr().out


def test_a_model_that_fails_is_reported_and_fails_no_turn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "graph.playing.make_chat_model", lambda *_: ChosenModel(ScriptedModel(replies=[OSError("gone")]), "x:y", "z")
    )
    transcript = write_transcript(tmp_path / "t.jsonl", said("ana", "I prefer tea over coffee."))
    assert main(["replay", str(transcript), "--data", "store"]) == 0
    captured = capsys.readouterr()
    assert "chat model: OSError: gone" in captured.out
    assert "Traceback" not in captured.err


def test_a_replay_that_is_interrupted_still_reports_and_ends_with_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    play = Player._play

    def interrupted(player: Player, turn: Turn) -> PlayedTurn:
        if turn.line.number == 2:
            raise KeyboardInterrupt
        return play(player, turn)

    monkeypatch.setattr(Player, "_play", interrupted)
    transcript = write_transcript(tmp_path / "t.jsonl", *(said("ana", f"I prefer {n} over tea.") for n in range(3)))
    assert main(["replay", str(transcript), "--data", "store"]) == 130
    out = capsys.readouterr().out
    assert "stopped; what was played is kept" in out
    assert "1 of 1 users in 1 sessions" in out


def test_every_bad_line_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    transcript = write_transcript(tmp_path / "t.jsonl", *["{"] * 30, said("ana", "Hello."), "{", "{", "{")
    assert main(["replay", str(transcript), "--data", "store"]) == 0
    out = capsys.readouterr().out
    assert "line 20 is not JSON" in out
    assert "and lines 21-30, 32-34" in out


@pytest.mark.parametrize("link", [None, Path.symlink_to, Path.hardlink_to])
def test_a_transcript_is_never_written_over(
    link: Callable[[Path, Path], None] | None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    transcript = write_transcript(tmp_path / "t.jsonl", said("ana", "I prefer tea over coffee."))
    before = transcript.read_bytes()
    output = transcript
    if link is not None:
        output = tmp_path / "other.jsonl"
        link(output, transcript)
    assert main(["replay", str(transcript), "--data", "store", "-o", str(output)]) == 2
    assert "is the transcript itself" in capsys.readouterr().err
    assert transcript.read_bytes() == before
    assert not Path("store").exists()


def test_replaying_a_transcript_again_doubles_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    transcript = write_transcript(tmp_path / "t.jsonl", said("ana", "I prefer tea over coffee."))
    for _ in range(2):
        assert main(["replay", str(transcript), "--data", "store"]) == 0
    capsys.readouterr()
    assert main(["memory", "export", "--user", "ana", "--data", "store"]) == 0
    texts = [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["replay", "nowhere.jsonl"], 1, "nowhere.jsonl"),
        (["replay", "empty.jsonl"], 1, "no line of a user that can be played"),
        (["replay", "empty.jsonl", "--model", "nobody:x"], 1, "no line of a user"),
        (["chat", "--user", "ana", "--model", "openai:gpt-4o"], 1, "OPENAI_API_KEY"),
        (["chat", "--user", "ana", "--model", "ollama:llama3.1:8b"], 1, "127.0.0.1:9"),
        (["chat", "--user", "ana", "--model", "gpt"], 1, "gpt"),
        (["chat", "--user", ""], 2, "user_id"),
        (["chat", "--user", "agent:x"], 2, "agent:"),
        (["memory", "list", "--user", "ana"], 1, "no memory store"),
        (["memory", "list", "--user", "\udcff"], 2, "not valid Unicode"),
        (["memory", "show", "x", "--user", "\udcff"], 2, "not valid Unicode"),
        (["memory", "history", "--user", "\udcff"], 2, "not valid Unicode"),
        (["memory", "export", "--user", "\udcff"], 2, "not valid Unicode"),
        (["memory", "problems", "--user", "\udcff"], 2, "not valid Unicode"),
        (["memory", "forget", "--user", "\udcff"], 2, "not valid Unicode"),
        (["memory", "forget", "--user", "ana", "--yes"], 2, "nothing to erase"),
    ],
)
def test_what_goes_wrong_is_one_sentence_that_says_what_to_do(
    arguments: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("empty.jsonl").write_text("")
    if "\udcff" in arguments:
        MemoryKernel.open(KernelConfig(data_dir=Path(".memory"))).close()
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert sentence in captured.out + captured.err
    assert "Traceback" not in captured.err


def test_chat_remembers_across_sessions_and_looks_inside(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def chat(*lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
        assert main(["chat", "--user", "zoe", "--data", "store", "--model", "local:extractive"]) == 0
        return capsys.readouterr().out

    first = chat("/why", "My name is Zoe and I prefer tea over coffee.", "/memory", "/bogus", "/forget 99")
    assert "nothing was asked in this session yet" in first
    assert "prefer tea over coffee" in first
    assert "unknown command /bogus" in first
    assert "say /forget N" in first

    second = chat("Which do I prefer, tea or coffee?", "/why", "/forget 2", "/memory")
    assert second.count("tea over coffee") >= 2
    assert "MEMORY CONTEXT" in second
    assert "not used any more: I prefer tea over coffee" in second
    assert "(and what was said with it)" in second
    assert "I prefer tea over coffee\n      profile" not in second.split("not used any more")[1]

    third = chat("/forget all", "no", "/forget all", "yes", "/memory", "Which do I prefer, tea or coffee?", "/why")
    assert "nothing was erased" in third
    assert re.search(r"erased:\n +\d+  memories\n", third)
    assert "nothing is remembered about you" in third
    assert "tea over coffee" not in third


def test_chat_shows_what_was_done_about_memory_above_the_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        "Remember that I prefer tea over coffee",
        "What do you know about me?",
        "Forget that I prefer tea over coffee. Which do I prefer?",
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(["chat", "--user", "zoe", "--data", "store", "--model", "local:extractive"]) == 0
    out = capsys.readouterr().out
    assert out.count("I will remember: I prefer tea over coffee\n") == 1
    assert re.search(
        r"This is what I know about you:\nAbout you:\n- I prefer tea over coffee \(\d{4}-\d\d-\d\d\)\n", out
    )
    done = out.split("Which do I prefer?")[1]
    assert done.strip().startswith("Forgotten, I no longer use this:\n- I prefer tea over coffee")
    assert done.count("tea over coffee") == 1, "what answers afterwards is not shown it"


class Typed(io.StringIO):
    """A terminal at which a line ^C is Ctrl-C."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        line = super().readline()
        if line == "^C\n":
            raise KeyboardInterrupt
        return line


def test_commands_are_known_in_any_case_and_no_answer_erases_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ("I prefer tea over coffee.", "^C", "/FORGET ALL", "^C", "/Memory", "/forget all")
    monkeypatch.setattr(sys, "stdin", Typed("\n".join(lines) + "\n"))
    assert main(["chat", "--user", "zoe", "--data", "store", "--model", "local:extractive"]) == 0
    out = capsys.readouterr().out
    assert "embedder: local:wordllama" in out
    assert "0 memories" in out
    assert out.count("nothing was erased") == 2  # Ctrl-C, then the end of input
    assert "prefer tea over coffee" in out.split("nothing was erased")[1]


def test_a_line_that_is_not_utf8_is_taken_as_far_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.TextIOWrapper(io.BytesIO(b"I prefer caf\xe9 cr\xe8me over tea.\n/memory\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["chat", "--user", "zoe", "--data", "store", "--model", "local:extractive"]) == 0
    assert "prefer caf\ufffd cr\ufffdme over tea" in capsys.readouterr().out


def test_a_turn_that_fails_is_one_sentence_and_the_chat_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteSaver, "put", full_disk)
    monkeypatch.setattr(sys, "stdin", io.StringIO("I prefer tea over coffee.\n/why\n/memory\n"))
    assert main(["chat", "--user", "zoe", "--data", "store", "--model", "local:extractive"]) == 0
    captured = capsys.readouterr()
    assert "that did not work: the sessions file 'store/sessions.sqlite3' cannot be used" in captured.out
    assert "memories are not affected" in captured.out
    assert "prefer tea over coffee" in captured.out.split("that did not work")[1]
    assert "Traceback" not in captured.out + captured.err


def test_what_a_terminal_would_obey_is_shown_and_never_sent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hostile = "\x1b[2J\x9b31m\x7f\u202e\u200b"
    text = f"I prefer {hostile} tea over coffee."
    transcript = write_transcript(
        tmp_path / "t.jsonl",
        {**said("ana", text, session="s\x7f"), "text": text},
        said("ana", f"Noted: {hostile}.", role="assistant", session="s\x7f"),
        {**said("ana", "x"), "role": hostile},
        said("ana", "Which do I prefer, tea or coffee?"),
    )
    assert main(["replay", str(transcript), "--show", "--data", "store"]) == 0
    shown = capsys.readouterr().out
    lines = ("/memory all", text, "Which do I prefer, tea or coffee?", "/why", hostile, f"/{hostile}", "/forget 1")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(["chat", "--user", "ana", "--session", "s\x9b", "--data", "store", "--model", "local:extractive"]) == 0
    shown += capsys.readouterr().out
    assert main(["memory", "list", "--all", "--user", "ana", "--data", "store"]) == 0
    listed = capsys.readouterr().out
    of_ana = ["--user", "ana", "--data", "store"]
    first = listed.split()[0]
    for command in (["show", first, *of_ana], ["history", first, *of_ana], ["export", *of_ana], ["users", *of_ana[2:]]):
        assert main(["memory", *command]) == 0
        out = capsys.readouterr().out
        shown += out
        if command[0] == "export":
            assert any(hostile in json.loads(line)["text"] for line in out.splitlines())
            assert "\\u009b" in out
            assert "\\u007f" in out
    shown += listed
    assert not set(hostile) - set("[2J31m") & set(shown)
    assert r"\x1b[2J\x9b31m\x7f\u202e\u200b tea over coffee" in shown


def test_the_operator_reads_while_another_process_has_the_store_open(capsys: pytest.CaptureFixture[str]) -> None:
    code = """
import sys
from memory_kernel import KernelConfig, MemoryKernel
kernel = MemoryKernel.open(KernelConfig(data_dir="store"))
mine = kernel.register_agent("ProfileAgent", may_write={"profile"}).bind(user_id="ana")
mine.create_memory("lives in Porto", memory_type="profile", slot="location")
mine.create_memory("lives in Braga", memory_type="profile", slot="location")
print("ready", flush=True)
sys.stdin.read()
kernel.close()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        assert main(["memory", "list", "--user", "ana", "--data", "store"]) == 0
        listed = capsys.readouterr().out
        assert "lives in Braga" in listed
        assert "lives in Porto" not in listed
        item_id = listed.split()[0]
        assert main(["memory", "show", item_id, "--user", "ana", "--data", "store"]) == 0
        assert '"slot": "location"' in capsys.readouterr().out
        assert main(["memory", "history", item_id, "--user", "ana", "--data", "store"]) == 0
        past = capsys.readouterr().out
        assert past.index("lives in Porto") < past.index("lives in Braga")
        assert main(["memory", "show", item_id, "--user", "ben", "--data", "store"]) == 2
        assert "has no memory" in capsys.readouterr().err
        assert main(["memory", "users", "--data", "store"]) == 0
        assert "ana" in capsys.readouterr().out
        assert main(["memory", "forget", "--user", "ana", "--yes", "--data", "store"]) == 1
        assert "is open in another kernel" in capsys.readouterr().err
        other.communicate("")
    assert other.returncode == 0
    assert main(["memory", "forget", "--user", "ana", "--yes", "--data", "store"]) == 0
    capsys.readouterr()
    assert main(["memory", "list", "--user", "ana", "--all", "--data", "store"]) == 0
    assert "0 memories" in capsys.readouterr().out


def test_the_operator_reads_what_agents_could_not_do_and_no_terminal_obeys_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with MemoryKernel.open(KernelConfig(data_dir=Path("store")), provider=InMemoryProvider()) as kernel:
        agent = kernel.register_agent("ProfileAgent", may_write={"profile"})
        for user in ("ana", "ben"):
            mine = agent.bind(user_id=user, session_id="s1")
            for number in range(3):
                mine.report("unreadable", f"no JSON {number}", raw=f"\x1b[2JSorry, {user}.\nNo. \ud800" + "x" * 9999)
    assert main(["memory", "problems", "--data", "store"]) == 0
    shown = capsys.readouterr().out
    assert "3 problems of user 'ana'" in shown
    assert "3 problems of user 'ben'" in shown
    assert "ProfileAgent: unreadable: no JSON 2 (session s1)" in shown
    assert r"    \x1b[2JSorry, ana." in shown
    assert "\x1b[2J" not in shown
    assert len(shown) < 6 * 4200
    assert main(["memory", "problems", "--user", "ana", "--limit", "1", "--data", "store"]) == 0
    shown = capsys.readouterr().out
    assert "1 problem of user 'ana'" in shown
    assert "no JSON 2" in shown, "the newest"
    assert "ben" not in shown
    assert main(["memory", "problems", "--user", "nobody", "--data", "store"]) == 0
    assert "0 problems of user 'nobody'" in capsys.readouterr().out


def test_a_chat_whose_words_are_read_behind_the_reply_shows_them_all_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("My name is Zoe and I prefer tea over coffee.\n/memory\n"))
    talk = ["chat", "--user", "zoe", "--data", "store", "--model", "local:extractive", "--extraction", "background"]
    assert main(talk) == 0
    assert "prefer tea over coffee\n" in capsys.readouterr().out
    assert main(["memory", "list", "--user", "zoe", "--data", "store"]) == 0
    assert "prefer tea over coffee" in capsys.readouterr().out


def test_forgetting_somebody_unknown_says_so_and_the_dev_servers_threads_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    MemoryKernel.open(KernelConfig(data_dir=Path("store"))).close()
    forget = ["memory", "forget", "--user", "nobody", "--yes", "--data", "store"]
    assert main(forget) == 0
    captured = capsys.readouterr()
    assert "nothing was kept about user 'nobody'" in captured.err
    assert json.loads(captured.out)["complete"] is True
    Path(".langgraph_api").mkdir()
    assert main(forget) == 1
    receipt = json.loads(capsys.readouterr().out)
    assert receipt["complete"] is False
    assert "not covered" in receipt["problems"][0]


def test_a_damaged_sessions_file_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Path("store").mkdir()
    Path("store/sessions.sqlite3").write_bytes(b"no database" * 1000)
    transcript = write_transcript(tmp_path / "t.jsonl", said("ana", "Hello."))
    for command in (["chat", "--user", "ana", "--model", "local:extractive"], ["replay", str(transcript)]):
        assert main([*command, "--data", "store"]) == 1
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "move the file away to start new sessions" in err


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (sqlite3.DatabaseError("malformed"), "error: a database of the store cannot be used: malformed\n"),
        (OSError("no space"), "error: no space\n"),
        (OSError(), "error: OSError\n"),
        (OSError(28, "No space left on device", "a\x1b"), "error: a\\x1b: No space left on device\n"),
    ],
)
def test_a_fault_of_the_system_is_one_sentence(
    fault: Exception, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def users(*_: object) -> int:
        raise fault

    monkeypatch.setattr("graph.operator.users", users)
    assert main(["memory", "users"]) == 1
    assert capsys.readouterr().err == sentence


def test_a_data_directory_without_a_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["demo", "--data", ""])
    assert "the name of the directory is empty" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_streams_of_any_encoding_take_every_word_and_an_export_stays_json(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "Zoë, Мира, 美羅 🦎"
    with MemoryKernel.open(KernelConfig(data_dir=Path("store"))) as kernel:
        mine = kernel.register_agent("ProfileAgent", may_write={"profile"}).bind(user_id="мира")
        mine.create_memory(words, memory_type="profile")
    for command in ("list", "export"):
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        assert main(["memory", command, "--user", "мира", "--data", "store"]) == 0
        assert main(["memory", "show", "x", "--user", "мира", "--data", "store"]) == 2
        out.flush()
        written = out.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
        assert "1 memory of" in written or json.loads(written)["text"] == words


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(closed: str) -> None:
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from graph.cli import main; sys.exit(main())"
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-W", "error", "-c", code, root]
    talk = [*command, "chat", "--user", "ana", "--data", "store", "--model", "local:extractive"]
    for arguments in (talk, [*command, "memory", "users", "--data", "store"]):
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *arguments], input="Hello.\n", capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr


def test_help_needs_no_heavy_package() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from graph.cli import main\n"
            "try: main(['--help'])\n"
            "except SystemExit: pass\n"
            "print([m for m in ('chromadb', 'langgraph', 'wordllama', 'langchain_openai') if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip().endswith("[]")


def test_another_embedder_than_the_stores_is_refused_with_what_to_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    transcript = write_transcript(tmp_path / "t.jsonl", said("ana", "I prefer tea over coffee."))
    assert main(["replay", str(transcript), "--data", "store"]) == 0
    assert main(["replay", str(transcript), "--data", "store", "--embeddings", "local:minilm"]) == 2
    assert "was written with embedder 'local:wordllama'" in capsys.readouterr().err
    assert main(["replay", str(transcript), "--data", "store", "--embeddings", "local:wordllama"]) == 0


def test_a_new_store_is_not_tied_to_an_embedder_that_does_not_answer(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    transcript = write_transcript(tmp_path / "t.jsonl", said("ana", "I prefer tea over coffee."))
    assert main(["replay", str(transcript), "--data", "store", "--embeddings", "ollama:nomic-embed-text"]) == 1
    assert "127.0.0.1:9" in capsys.readouterr().err
    assert main(["replay", str(transcript), "--data", "store"]) == 0


def test_a_transcript_teaches_the_same_inline_and_in_the_background(capsys: pytest.CaptureFixture[str]) -> None:
    def taught(mode: str) -> list[tuple[str, ...]]:
        replay = ["replay", str(DEMO_TRANSCRIPT), "--model", "local:extractive", "--show"]
        assert main([*replay, "--extraction", mode, "--data", mode]) == 0
        captured = capsys.readouterr()
        assert ("reads behind the reply" in captured.out + captured.err) == (mode == "background")
        with closing(open_ledger(Path(mode))) as ledger:
            items = [i for user in ledger.users() for i in ledger.items(ledger.partition(user))]
        return sorted((i.user_id, i.owner_agent, i.text, i.status, str(i.slot), str(i.valid_from)) for i in items)

    assert taught("inline") == taught("background")
