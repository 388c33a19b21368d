"""The files for containers and systemd fit the command line and the settings that there are."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest
import yaml

from gistmark.cli.main import gistmark

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
FOREIGN = {"GISTMARK_UPSTREAM", "GISTMARK_BACKUPS"}
"""Variables of Caddy and of the loop of backups, which the platform itself does not read."""


def known_variables() -> set[str]:
    """Every variable that the source of the platform reads."""
    text = "".join(path.read_text() for path in (ROOT / "src" / "gistmark").rglob("*.py"))
    return set(re.findall(r"\b(?:GISTMARK_[A-Z_]+|DATABASE_URL)\b", text))


def parse(words: list[str]) -> None:
    """Let the command line read the words, without running anything."""
    command: click.Command = gistmark
    context = click.Context(gistmark)
    while isinstance(command, click.Group):
        name, *words = words
        command = command.get_command(context, name)
        assert command is not None, name
    command.make_context(command.name, words, resilient_parsing=False)


def compose() -> dict:
    return yaml.safe_load((ROOT / "compose.yml").read_text())


def docker_lines(instruction: str) -> list[str]:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.startswith(f"{instruction} ")]
    return [line.removeprefix(f"{instruction} ").strip() for line in lines]


def commands() -> list[list[str]]:
    """Every command of the deployment files, as the words after `gistmark`."""
    (default,) = docker_lines("CMD")
    (health,) = docker_lines("HEALTHCHECK")
    services = compose()["services"]
    found = [yaml.safe_load(default), services["platform"]["command"]]
    found.append(yaml.safe_load(health[health.index("[") :])[1:])
    lines = services["backups"]["command"][0].replace('"$$GISTMARK_BACKUPS"', "14").splitlines()
    text = "".join(unit.read_text() for unit in UNITS)
    lines += re.findall(r"^ExecStart=/opt/gistmark/bin/(.*)$", text, flags=re.MULTILINE)
    split = (shlex.split(line) for line in lines)
    return found + [words[1:] for words in split if words[0] == "gistmark"]


def test_every_command_of_the_files_is_one_of_ours():
    assert {words[0] for words in commands()} == {"serve", "check", "backup", "tidy"}
    assert len(commands()) == 9
    for words in commands():
        parse(words)


def test_every_variable_of_the_files_is_one_that_something_reads():
    known = known_variables() | FOREIGN
    for file in (ROOT / "Dockerfile", ROOT / "compose.yml", *DEPLOY.iterdir()):
        used = set(re.findall(r"\b(?:GISTMARK_[A-Z_]+|DATABASE_URL)\b", file.read_text()))
        assert used <= known, file.name
    wanted = re.findall(r"\$\{([A-Z_]+)", (ROOT / "compose.yml").read_text())
    offered = re.findall(r"^([A-Z_]+)=", (DEPLOY / "compose.env").read_text(), flags=re.MULTILINE)
    assert set(wanted) == set(offered)


def test_the_image_is_pinned_and_runs_as_nobody_in_particular():
    images = [line.split()[0] for line in docker_lines("FROM")]
    images += [each["image"] for each in compose()["services"].values()]
    for image in images:
        assert re.fullmatch(r"gistmark:local|[a-z]+:\d+\.\d+\.?\d*-[a-z-]+", image), image
    (user,) = docker_lines("USER")
    assert int(user.split(":")[0]) >= 10_000
    for line in docker_lines("RUN"):
        assert "sudo" not in line
        assert "apt-get install" not in line or (
            "--no-install-recommends" in line and "rm -rf /var/lib/apt/lists" in line
        )
    assert not docker_lines("ADD")
    copied = " ".join(docker_lines("COPY"))
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for name in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "src"):
        assert name in copied
        assert f"!{name}" in ignored
        assert (ROOT / name).exists()


def test_the_client_programs_fit_the_version_of_the_database():
    (client,) = re.findall(r"postgresql-client-(\d+)", (ROOT / "Dockerfile").read_text())
    assert compose()["services"]["database"]["image"].startswith(f"postgres:{client}.")


def test_services_have_no_more_rights_than_they_need():
    services = compose()["services"]
    for name in ("platform", "backups"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
        assert "ports" not in services[name], "only the proxy is reachable from outside"
    assert "ports" not in services["database"]
    used = {each.split(":")[0] for one in services.values() for each in one["volumes"]}
    assert used - {"./deploy/Caddyfile"} == set(compose()["volumes"])
    for unit in UNITS:
        lines = unit.read_text().splitlines()
        for line in ("NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet="):
            assert line in lines, unit.name
        if unit.stem != "gistmark":
            assert unit.with_suffix(".timer").exists()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_reads_the_units(tmp_path):
    for unit in (*UNITS, *DEPLOY.glob("*.timer")):
        text = unit.read_text().replace("/opt/gistmark/bin/gistmark", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    units = sorted(map(str, tmp_path.iterdir()))
    done = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "gistmark" in line]
    assert not ours
    assert len(units) == 5


@pytest.mark.skipif(shutil.which("caddy") is None, reason="there is no Caddy")
def test_caddy_reads_its_file(tmp_path):
    text = (DEPLOY / "Caddyfile").read_text()
    version = subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True)
    if re.match(r"v?2\.[0-6]\b", version.stdout):
        text = text.replace("request_buffers 4MiB", "")  # later versions know it
    (tmp_path / "Caddyfile").write_text(text)
    done = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"],
        capture_output=True, text=True, check=False,
        env={"GISTMARK_HOSTS": "rate.example.org", "HOME": str(tmp_path), "PATH": "/usr/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
