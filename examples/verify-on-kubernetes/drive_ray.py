#!/usr/bin/env python3
"""Carries out a planned verification on Ray: one login, a task for each unit of reading, tasks for the slots.

    drive_ray.py JOB_DIR [--drive "node drive.mjs"] [--worker "cdcctl migrate verify-worker"]

Every node needs Node.js, cdcctl, drive.mjs, and the job's folder at the same path. The cluster is the one of RAY_ADDRESS; without it, Ray starts
one on this machine. A wrong password is tried once, and a failure that no other attempt would change ends the job.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys

import ray

AGAIN = 75
ATTEMPTS = 4
SLOTS_A_TASK = 8


class Again(Exception):
    """Another attempt may succeed."""


class Failed(Exception):
    """No other attempt would succeed."""


def drive(command, stage, folder, words):
    """Runs drive.mjs. Returns what it writes, by lines."""
    done = subprocess.run([*command, stage, folder, *words], capture_output=True, text=True)
    if done.returncode == AGAIN:
        raise Again(done.stderr)
    if done.returncode != 0:
        raise Failed(done.stderr)
    return done.stdout.splitlines()


def within(most, start, all_words):
    """Runs a task for each, at most so many at a time."""
    running = []
    for words in all_words:
        if len(running) == most:
            ended, running = ray.wait(running)
            ray.get(ended)
        running.append(start(words))
    ray.get(running)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("job_dir")
    parser.add_argument("--drive", default="node drive.mjs")
    parser.add_argument("--worker")
    asked = parser.parse_args()
    command = shlex.split(asked.drive)
    folder = os.path.abspath(asked.job_dir)
    worker = ["--worker", asked.worker] if asked.worker else []
    with open(os.path.join(folder, "job.json"), encoding="utf-8") as file:
        sessions = json.load(file)["databaseSessions"]

    task = ray.remote(max_retries=ATTEMPTS - 1, retry_exceptions=[Again])(drive)

    def start(stage, words=()):
        return task.remote(command, stage, folder, [*words, *worker])

    def listed(stage, *words):
        return drive(command, stage, folder, words)

    ray.init()
    ray.get(start("check"))
    # The table first, because undo expires.
    within(sessions, lambda unit: start("read", [unit]), listed("units", "--side", "table"))
    ray.get([start("read", [unit]) for unit in listed("units", "--side", "topic")])
    ray.get(start("gather"))
    slots = listed("slots")
    ray.get([start("join", slots[at : at + SLOTS_A_TASK]) for at in range(0, len(slots), SLOTS_A_TASK)])


if __name__ == "__main__":
    try:
        main()
    except (Again, Failed) as error:
        sys.exit(str(getattr(error, "cause", error)).strip())
