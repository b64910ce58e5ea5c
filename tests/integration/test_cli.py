"""The command line as a user types it: demo, replay, chat, memory. Local parts only, the real default store."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from graph.cli import main
from memory_kernel import KernelConfig, MemoryKernel


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


def test_a_demo_beside_an_open_one_takes_another_directory(capsys: pytest.CaptureFixture[str]) -> None:
    with MemoryKernel.open(KernelConfig(data_dir=Path(".memory/demo"))):
        assert main(["demo"]) == 0
    assert ".memory/demo-2" in capsys.readouterr().out


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
        (["memory", "forget", "--user", "ana", "--yes"], 2, "nothing to erase"),
    ],
)
def test_what_goes_wrong_is_one_sentence_that_says_what_to_do(
    arguments: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("empty.jsonl").write_text("")
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
    assert "I prefer tea over coffee\n      profile" not in second.split("not used any more")[1]

    third = chat("/forget all", "no", "/forget all", "yes", "/memory", "Which do I prefer, tea or coffee?", "/why")
    assert "nothing was erased" in third
    assert "nothing is remembered about you" in third
    assert "tea over coffee" not in third


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
