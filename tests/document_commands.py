"""Commands of docs/deploy.md, run below a folder, with stand-ins for programs that would change the machine."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """Return what follows a heading, to the next one of two or three signs."""
    return re.split(r"\n###? ", DEPLOY.partition(f"# {heading}\n")[2], maxsplit=1)[0]


def blocks(part: str) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", part, re.DOTALL)


def write_stand_ins(folder: Path, programs: dict[str, str]) -> None:
    """Write programs, each of one line of shell, to where `run` looks first."""
    (folder / "bin").mkdir()
    for name, line in programs.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / "bin" / name).chmod(0o755)


def run(folder: Path, commands: str) -> str:
    """Run commands with the folder in front of each path of the system, and return what they print."""
    commands = re.sub(r"(?<![\w.])(?=/(opt|root|etc|var)/)", str(folder), commands)
    environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder)}
    command = ["sh", "-c", commands]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr
