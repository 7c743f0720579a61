"""
The peer: what a script does. One thread; json with Decimal, one canonical text a row, SQLite for what was seen.

    plain_verifier.py FOLDER TEMPLATE PASSES
"""

import json
import os
import resource
import sqlite3
import struct
import sys
import time
from datetime import datetime, timedelta
from decimal import Decimal

FOLDER, TEMPLATE, PASSES = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
CHECK_SCN = 10**12
BATCH = 10_000
EPOCH = datetime(1970, 1, 1)
# Number of headers, length and name of the first, length of its value.
SCN_AT = 1 + 1 + len("cdc.commit_scn") + 1


def records(name):
    """Key, value and header of each record of a generated file."""
    path = os.path.join(FOLDER, name)
    for number in range(PASSES):
        digits = str(100 + number).encode()
        with open(path, "rb", buffering=1 << 20) as file:
            while True:
                head = file.read(16)
                if len(head) < 16:
                    break
                key_length, value_length, in_key, first, second, header_length = struct.unpack("<IIHHHH", head)
                key, value = file.read(key_length), file.read(value_length)
                header = file.read(header_length)[SCN_AT:]
                if number > 0:
                    key = key[:in_key] + digits + key[in_key + 3 :]
                    value = value[:first] + digits + value[first + 3 :]
                    if second > 0:
                        value = value[:second] + digits + value[second + 3 :]
                yield key, value, header


def parsed(data):
    document = json.loads(data, parse_float=Decimal)
    return document["payload"] if "schema" in document else document


def number(value):
    text = format(Decimal(value), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def moment(value):
    return value.isoformat(sep=" ")


def of_record(row):
    return "\x1f".join(
        (
            number(row["ID"]),
            number(row["CUSTOMER_ID"]),
            row["STATUS"],
            number(row["AMOUNT"]),
            row["NAME"],
            row["NOTE"] or "\0",
            moment(EPOCH + timedelta(milliseconds=row["CREATED"])),
            moment(EPOCH + timedelta(microseconds=row["UPDATED"])),
        )
    )


def of_table(row):
    return "\x1f".join(
        (
            number(row[0]),
            number(row[1]),
            row[2],
            number(row[3]),
            row[4],
            row[5] or "\0",
            moment(datetime.fromisoformat(row[6])),
            moment(datetime.fromisoformat(row[7])),
        )
    )


def table_rows():
    for number_of_pass in range(PASSES):
        with open(os.path.join(FOLDER, "rows"), encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                if number_of_pass > 0:
                    row[0] = str(100 + number_of_pass) + row[0][3:]
                yield row


def batches(items):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


def main():
    started = time.perf_counter()
    database = os.path.join(FOLDER, "plain.sqlite")
    if os.path.exists(database):
        os.remove(database)
    seen = sqlite3.connect(database, isolation_level=None)
    seen.execute("PRAGMA journal_mode = OFF")
    seen.execute("PRAGMA synchronous = OFF")
    seen.execute("CREATE TABLE legacy (id INTEGER PRIMARY KEY)")
    seen.execute("CREATE TABLE topic (id INTEGER PRIMARY KEY, row TEXT)")
    seen.execute("BEGIN")
    count = 0

    def legacy_keys():
        nonlocal count
        for _, value, _ in records("legacy-0"):
            count += 1
            row = parsed(value)
            if int(row["scn"]) <= CHECK_SCN and row["op_type"] != "D":
                yield (row["ID"],)

    def changes(name):
        nonlocal count
        for key, value, header in records(name):
            count += 1
            event = parsed(value)
            scn = int(header or event["source"]["commit_scn"])
            if scn > CHECK_SCN:
                continue
            row = None if event["op"] == "d" else of_record(event["after"])
            yield parsed(key)["ID"], row

    for batch in batches(legacy_keys()):
        seen.executemany("INSERT OR REPLACE INTO legacy VALUES (?)", batch)
    for name in ("new-0", "new-1"):
        for batch in batches(changes(name)):
            seen.executemany("INSERT OR REPLACE INTO topic VALUES (?, ?)", batch)
    failures = compared = 0
    for row in table_rows():
        count += 1
        found = seen.execute("SELECT row FROM topic WHERE id = ?", (int(row[0]),)).fetchone()
        if found is not None:
            compared += 1
            failures += found[0] != of_table(row)
        elif seen.execute("SELECT 1 FROM legacy WHERE id = ?", (int(row[0]),)).fetchone() is None:
            failures += 1
    seen.execute("COMMIT")
    if failures > 0 or compared != TEMPLATE * PASSES:
        raise SystemExit(f"it should have passed: {failures} failures, {compared} compared")
    used = resource.getrusage(resource.RUSAGE_SELF)
    result = {
        "records": count,
        "millis": (time.perf_counter() - started) * 1000,
        "processorMillis": (used.ru_utime + used.ru_stime) * 1000,
        "memory": used.ru_maxrss * 1024,
        "disk": os.path.getsize(database),
    }
    seen.close()
    os.remove(database)
    print(json.dumps(result))


main()
