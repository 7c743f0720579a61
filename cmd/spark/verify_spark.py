"""Drives the workers of `cdcctl migrate verify-worker` as a job of Apache Spark.

    spark-submit … verify_spark.py JOB_DIR [--results DIR] [--worker "cdcctl migrate verify-worker"]

Spark carries bytes only: what a row or a record is, and whether they agree, is the worker's. Each task gives units of reading to a worker and
sends their tuples to slots (hash partitions); each slot is joined by a worker. The frames are described in docs/verification-at-scale.md.
Python 3.8 or later; PySpark 3.5 or 4. No login passes through here: a worker has a contexts file of its own.
"""

import argparse
import collections
import gc
import json
import os
import shlex
import socket
import struct
import subprocess
import sys
import threading
import time
import zipimport

HEAD = struct.Struct("<III")
HELLO, REQUEST, END, TABLE, NEW, LEGACY, RESULT, RULES, READY, ERROR = range(1, 11)
PROTOCOL = 1
LOG_OFF = 10


class WorkerFailed(Exception):
    """A worker failed. Unless another attempt may succeed, the job ends: Spark must not repeat the task."""

    def __init__(self, code, message, remedy=(), retriable=False):
        super().__init__(message)
        self.said = {"code": code, "message": message, "remedy": list(remedy), "retriable": retriable}

    def __reduce__(self):
        return (WorkerFailed, tuple(self.said.values()))


# ---- On an executor --------------------------------------------------------------------------------------------------


class Worker:
    """One process a Python worker of Spark: it serves one request after the other."""

    def __init__(self, settings):
        from pyspark import SparkFiles

        self.settings = settings
        where = socket.gethostname()
        job_file = SparkFiles.get(settings["file"])
        words = shlex.split(settings["worker"]) + ["--job", job_file, "--work-dir", os.getcwd()]
        try:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=1 << 20
            )
        except OSError as error:
            raise WorkerFailed(
                "worker-missing",
                "%s: the worker can't be started: %s: %s" % (where, words[0], error.strerror),
                ["Install Node.js and cdcctl on every executor, or name them with --worker-command."],
            )
        self.last_words = collections.deque(maxlen=20)
        threading.Thread(target=self.listen, daemon=True).start()
        kind, _, payload = self.frame()
        hello = json.loads(payload) if kind == HELLO else {}
        if hello.get("protocol") != PROTOCOL or hello.get("job") != settings["job"]:
            raise WorkerFailed(
                "worker-other",
                "%s: the worker is of another version, or has another job: %s" % (where, json.dumps(hello)),
                ["Install the version of cdcctl that planned the job on every executor."],
            )

    def listen(self):
        for line in self.process.stderr:
            self.last_words.append(line.decode("utf-8", "replace").rstrip())
            sys.stderr.write("cdcctl: " + self.last_words[-1] + "\n")

    def send(self, kind, slot=0, payload=b""):
        try:
            self.process.stdin.write(HEAD.pack(len(payload), slot, kind))
            self.process.stdin.write(payload)
        except OSError:
            self.gone()

    def ask(self, request):
        self.send(REQUEST, 0, json.dumps(request).encode())

    def flush(self):
        try:
            self.process.stdin.flush()
        except OSError:
            self.gone()

    def read(self, length):
        data = self.process.stdout.read(length)
        if len(data) < length:
            self.gone()
        return data

    def frame(self):
        length, slot, kind = HEAD.unpack(self.read(HEAD.size))
        payload = self.read(length)
        if kind == ERROR:
            said = json.loads(payload)
            raise WorkerFailed(said["code"], said["message"], said["remedy"], said["retriable"])
        return kind, slot, payload

    def answer(self, wanted):
        self.flush()
        kind, _, payload = self.frame()
        if kind != wanted:
            raise WorkerFailed("protocol", "a frame of kind %d in place of %d" % (kind, wanted))
        return payload

    def gone(self):
        """What exits with 64 says what is wrong with the job or its files: no other attempt would help."""
        code = self.process.wait()
        said = "; ".join(self.last_words) or "no output"
        message = "%s: the worker ended by itself (exit code %s): %s" % (socket.gethostname(), code, said)
        missing = code in (126, 127)
        raise WorkerFailed(
            "worker-missing" if missing else "worker-ended",
            message,
            ["Install Node.js 20 and cdcctl on every executor."] if missing else [],
            code not in (64, 126, 127),
        )

    def end(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        """Lets it log off from the database."""
        try:
            self.process.stdin.close()
            self.process.wait(LOG_OFF)
        except (OSError, subprocess.TimeoutExpired):
            self.end()


_worker = None


def worker(settings):
    """Python workers of Spark are reused, by another job of the same application too: that one needs a worker of its own."""
    global _worker
    if _worker is not None and _worker.settings != settings:
        forget()
    if _worker is None:
        spare()
        _worker = Worker(settings)
    return _worker


def spare():
    """Spares a Python worker of Spark what it does again for every task: tens of milliseconds of processor time.

    It collects garbage among the objects of all modules, and Python 3.10 and later reads the index of pyspark.zip once for
    each package in it (`importlib.invalidate_caches`). The archives do not change while a job runs.
    """
    gc.freeze()
    for finder in sys.path_importer_cache.values():
        if isinstance(finder, zipimport.zipimporter):
            finder.invalidate_caches = lambda: None


def forget():
    """After any failure the next task starts with a worker of its own."""
    global _worker
    if _worker is not None:
        _worker.end()
        _worker = None


def log_off():
    """The next task starts with a worker of its own: idle sessions too count among those that the database allows."""
    global _worker
    if _worker is not None:
        _worker.close()
        _worker = None


def said_or_raised(failed):
    """Another attempt is Spark's; what none would change is a result."""
    forget()
    if failed.said["retriable"]:
        raise failed
    return json.dumps(failed.said)


def check(settings):
    def run(_):
        try:
            one = worker(settings)
            one.ask({"is": "check"})
            one.answer(READY)
            log_off()
            yield None
        except WorkerFailed as failed:
            yield said_or_raised(failed)

    return run


def read(settings, slots, first_slot, table_tasks, done, records):
    """Units one after the other; tuples go to their slots, results and failures to the slot behind them.

    The first tasks are those of the table: their sessions end with them.
    """

    def run(index, units):
        from pyspark import TaskContext

        attempt = TaskContext.get().attemptNumber()
        for unit in units:
            try:
                one = worker(settings)
                one.ask({"is": "read", "unit": unit, "attempt": attempt})
                one.flush()
                kind = None
                while kind != RESULT:
                    kind, slot, payload = one.frame()
                    yield (slots if kind == RESULT else slot - first_slot), (kind, payload)
                found = json.loads(payload)["unit"]["read"]
                records.add(found["count"] + found["foreign"])
                done.add(1)
            except WorkerFailed as failed:
                yield slots, (ERROR, said_or_raised(failed).encode())
                return
        if index < table_tasks:
            log_off()

    return run


def gather(settings, table):
    """What all units came to: one small message, whatever the table."""

    def run(items):
        results = []
        for _, (kind, payload) in items:
            if kind == ERROR:
                return [(None, None, payload.decode())]
            results.append(payload)
        try:
            one = worker(settings)
            one.ask({"is": "gather", "table": table})
            for result in results:
                one.send(RESULT, 0, result)
            one.send(END)
            return [([result.decode() for result in results], one.answer(RULES), None)]
        except WorkerFailed as failed:
            return [(None, None, said_or_raised(failed))]

    return run


def join(settings, slots, first_slot, rules, done):
    def run(index, items):
        from pyspark import TaskContext

        if index == slots:
            return
        slot = first_slot + index
        try:
            one = worker(settings)
            one.ask({"is": "join", "slot": slot, "attempt": TaskContext.get().attemptNumber()})
            one.send(RULES, 0, rules)
            for _, (kind, payload) in items:
                one.send(kind, slot, payload)
            one.send(END)
            result = one.answer(RESULT).decode()
            done.add(1)
            yield result, None
        except WorkerFailed as failed:
            yield None, said_or_raised(failed)

    return run


def same(slot):
    return slot


# ---- In the driver ---------------------------------------------------------------------------------------------------


def report(what, **members):
    """A line for whoever started the job; `cdcctl migrate verify --spark-submit` reads it."""
    print("cdcctl " + json.dumps(dict(members, **{"is": what}), sort_keys=True), flush=True)


def tasks_of(units, sessions):
    """Tables first, for undo expires: as many tasks as there may be sessions. A task for each unit of a topic."""
    tables = [unit["unit"] for unit in units if unit["side"] == "table"]
    groups = [tables[at::sessions] for at in range(min(sessions, len(tables)))]
    return groups + [[unit["unit"]] for unit in units if unit["side"] != "table"]


def flat(group):
    return group


def result_lines(path):
    try:
        with open(path, encoding="utf-8") as file:
            return [line for line in file.read().split("\n") if line]
    except FileNotFoundError:
        return None


def write_whole(path, text):
    """A file of results is there whole or not at all, whoever else writes it at the same time."""
    part = "%s.%d.part" % (path, os.getpid())
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def failed(text):
    report("failed", **json.loads(text))
    sys.exit(1)


def watch(context, table, total, units, records, slots, joined, ended):
    """Tells now and then how far it is. The counts are the executors' own, and may count a repeated attempt again."""
    started = time.time()
    while not ended.wait(2):
        stages = [context.statusTracker().getStageInfo(stage) for stage in context.statusTracker().getActiveStageIds()]
        active = [stage for stage in stages if stage is not None]
        report(
            "progress",
            table=table,
            units=min(units.value, total),
            of=total,
            records=records.value,
            slots=min(joined.value, slots),
            ofSlots=slots,
            stages=sorted(stage.stageId for stage in active),
            tasks=sum(stage.numCompletedTasks for stage in active),
            ofTasks=sum(stage.numTasks for stage in active),
            failedTasks=sum(stage.numFailedTasks for stage in active),
            seconds=round(time.time() - started, 1),
        )


ALIVE = "submitter.alive"
PATIENCE = 30


def touched(path, before):
    """When a file was touched last, in seconds; ``before`` where it is missing: another cdcctl that waited for the same
    job has removed it, and ours writes it again."""
    try:
        return os.stat(path).st_mtime
    except FileNotFoundError:
        return before


def guard(context, path):
    """Ends the job when the cdcctl that waits for it was killed: it touches this file every few seconds.

    Its output tells nothing of that, since the JVM in between swallows a broken pipe. Without a fresh file at the start
    nobody waits: somebody else has submitted the job.
    """
    last = touched(path, 0)
    if time.time() - last > PATIENCE:
        return
    while time.time() - last <= PATIENCE:
        time.sleep(1)
        last = touched(path, last)
    context.cancelAllJobs()
    context.stop()
    os._exit(1)


def read_job(path):
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    if job["protocol"] != PROTOCOL:
        failed(json.dumps({"code": "protocol", "message": "the job is of another version", "remedy": [], "retriable": False}))
    return job


def carry_out(context, job_file, results, command):
    """Carries out a job, table by table; a table that is finished is not read again.

    A Spark application can carry out several jobs one after the other if their files have different names, since Spark
    distributes a file by its name. Functions reach the executors by the name of their module: import it, do not run it.
    """
    job = read_job(job_file)
    os.makedirs(results, mode=0o700, exist_ok=True)
    context.addPyFile(os.path.abspath(__file__))
    context.addFile(job_file)
    settings = {"worker": command, "job": job["digest"], "file": os.path.basename(job_file)}
    report("started", application=context.applicationId, web=context.uiWebUrl, version=context.version)
    # One login before there are many: a wrong password is tried once.
    for problem in context.parallelize([0], 1).mapPartitions(check(settings)).collect():
        if problem is not None:
            failed(problem)
    for at, table in enumerate(job["tables"]):
        units = [unit for unit in job["units"] if unit["table"] == at]
        path = os.path.join(results, "table-%d.jsonl" % at)
        if not units or result_lines(path) is not None:
            continue
        found = found_of(context, settings, at, table, units, job["databaseSessions"])
        write_whole(path, "\n".join(found) + "\n")
        report("table", table=table["table"])
    write_whole(os.path.join(results, "engine.json"), json.dumps({"name": "spark", "version": context.version}) + "\n")
    report("done", results=results)


def found_of(context, settings, at, table, units, sessions):
    """The results of a table's units and slots."""
    slots, first_slot = table["slots"], table["firstSlot"]
    ended = threading.Event()
    read_units, records, joined = (context.accumulator(0) for _ in range(3))
    watcher = threading.Thread(
        target=watch, args=(context, table["table"], len(units), read_units, records, slots, joined, ended), daemon=True
    )
    watcher.start()
    try:
        groups = tasks_of(units, sessions)
        ranges = sum(unit["side"] == "table" for unit in units)
        tuples = (
            context.parallelize(groups, len(groups))
            .flatMap(flat)
            .mapPartitionsWithIndex(read(settings, slots, first_slot, min(sessions, ranges), read_units, records))
            .partitionBy(slots + 1, same)
        )
        [(found, rules, problem)] = context.runJob(tuples, gather(settings, at), [slots])
        if problem is not None:
            failed(problem)
        for result, problem in tuples.mapPartitionsWithIndex(join(settings, slots, first_slot, rules, joined)).collect():
            if problem is not None:
                failed(problem)
            found.append(result)
    finally:
        ended.set()
        watcher.join()
    report("progress", table=table["table"], units=len(units), of=len(units), records=records.value, slots=slots, ofSlots=slots)
    return found


ENCRYPTION = (
    "spark.io.encryption.enabled",
    "spark.network.crypto.enabled",
    "spark.authenticate.enableSaslEncryption",
    "spark.ssl.rpc.enabled",
)


def encrypted(settings):
    """Whether Spark encrypts what it sends or keeps. ``settings`` is a ``SparkConf``, or a dict."""
    return any(settings.get(setting, "false").lower() == "true" for setting in ENCRYPTION)


def conf(name):
    """Settings of the application. The operator's own win, except for speculation, which finds the same and doubles the
    database's work.

    A task writes one file and sorts in memory, as Spark does from 200 slots on: a file for each slot takes half as much
    processor time again in the JVM. An executor's JVM only carries bytes: its second compiler (C2) takes some ten
    seconds of processor time, which pays only with encryption, since the first one (C1) has no AES instructions.
    """
    from pyspark import SparkConf

    settings = SparkConf().setAppName(name).set("spark.speculation", "false")
    settings.setIfMissing("spark.shuffle.sort.bypassMergeThreshold", "1")
    if not encrypted(settings):
        settings.setIfMissing("spark.executor.defaultJavaOptions", "-XX:TieredStopAtLevel=1")
    return settings


def main():
    options = argparse.ArgumentParser(description="Carries out a verification that cdcctl has planned.")
    options.add_argument("job_dir")
    options.add_argument("--results", help="folder for the results (default: results in the job folder)")
    options.add_argument("--worker", default="cdcctl migrate verify-worker", help="how an executor starts a worker")
    asked = options.parse_args()

    from pyspark import SparkContext

    import verify_spark

    job_file = os.path.join(asked.job_dir, "job.json")
    results = asked.results or os.path.join(asked.job_dir, "results")
    context = SparkContext(conf=conf("cdcctl verify " + read_job(job_file)["connector"]))
    threading.Thread(target=guard, args=(context, os.path.join(asked.job_dir, ALIVE)), daemon=True).start()
    verify_spark.carry_out(context, job_file, results, asked.worker)
    context.stop()


if __name__ == "__main__":
    main()
