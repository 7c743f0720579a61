"""
The peer: what a script does. One process; json with Decimal, one canonical text a row, SQLite for what was seen.

    plain_verifier.py FOLDER files PASSES
    plain_verifier.py FOLDER systems BROKERS DSN TABLE NEW_TOPIC LEGACY_TOPIC CHECK_SCN

The first reads generated files, the second a broker and a database, with ORACLE_USER and ORACLE_PASSWORD of the
environment.
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

BATCH = 10_000
EPOCH = datetime(1970, 1, 1)
# Number of headers, length and name of the first, length of its value.
SCN_AT = 1 + 1 + len("cdc.commit_scn") + 1


class Files:
    """Generated files, read as many times as there are passes."""

    check_scn = 10**12

    def __init__(self, passes):
        self.passes = int(passes)

    def new_records(self):
        for name in ("new-0", "new-1"):
            yield from self.records(name)

    def legacy_records(self):
        return self.records("legacy-0")

    def records(self, name):
        """Key, value and header of each record."""
        path = os.path.join(FOLDER, name)
        for number in range(self.passes):
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

    def table_rows(self):
        for number_of_pass in range(self.passes):
            with open(os.path.join(FOLDER, "rows"), encoding="utf-8") as file:
                for line in file:
                    row = json.loads(line)
                    if number_of_pass > 0:
                        row[0] = str(100 + number_of_pass) + row[0][3:]
                    row[6:] = map(datetime.fromisoformat, row[6:])
                    yield row


class Systems:
    """A broker by kafka-python, and a database by python-oracledb."""

    def __init__(self, brokers, dsn, table, new_topic, legacy_topic, check_scn):
        import kafka
        import oracledb

        self.new_topic, self.legacy_topic, self.table = new_topic, legacy_topic, table
        self.check_scn = int(check_scn)
        self.place = kafka.TopicPartition
        self.consumer = kafka.KafkaConsumer(
            bootstrap_servers=brokers,
            enable_auto_commit=False,
            max_poll_records=5_000,
            max_partition_fetch_bytes=8 << 20,
        )
        oracledb.defaults.fetch_decimals = True
        oracledb.defaults.arraysize = oracledb.defaults.prefetchrows = 5_000
        user, password = os.environ["ORACLE_USER"], os.environ["ORACLE_PASSWORD"]
        self.database = oracledb.connect(user=user, password=password, dsn=dsn)

    def new_records(self):
        return self.records(self.new_topic)

    def legacy_records(self):
        return self.records(self.legacy_topic)

    def records(self, topic):
        """Key, value and header of each record, partition by partition up to its end as of now."""
        for partition in sorted(self.consumer.partitions_for_topic(topic)):
            place = self.place(topic, partition)
            self.consumer.assign([place])
            self.consumer.seek_to_beginning(place)
            end = self.consumer.end_offsets([place])[place]
            while self.consumer.position(place) < end:
                for record in self.consumer.poll(1_000).get(place, ()):
                    yield record.key, record.value, dict(record.headers).get("cdc.commit_scn")

    def table_rows(self):
        columns = "ID, CUSTOMER_ID, STATUS, AMOUNT, NAME, NOTE, CREATED, UPDATED"
        with self.database.cursor() as cursor:
            yield from cursor.execute(f"SELECT {columns} FROM {self.table} AS OF SCN :1", [self.check_scn])


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
            moment(row[6]),
            moment(row[7]),
        )
    )


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
    source = SOURCES[KIND](*ARGUMENTS)
    database = os.path.join(FOLDER, "plain.sqlite")
    if os.path.exists(database):
        os.remove(database)
    seen = sqlite3.connect(database, isolation_level=None)
    seen.execute("PRAGMA journal_mode = OFF")
    seen.execute("PRAGMA synchronous = OFF")
    seen.execute("CREATE TABLE legacy (id INTEGER PRIMARY KEY)")
    seen.execute("CREATE TABLE topic (id INTEGER PRIMARY KEY, row TEXT)")
    seen.execute("BEGIN")
    found = dict.fromkeys(("rows", "newRecords", "legacyRecords", "compared", "byLegacy", "failures"), 0)

    def legacy_keys():
        for _, value, _ in source.legacy_records():
            found["legacyRecords"] += 1
            row = parsed(value)
            if int(row["scn"]) <= source.check_scn and row["op_type"] != "D":
                yield (row["ID"],)

    def changes():
        for key, value, header in source.new_records():
            found["newRecords"] += 1
            event = parsed(value)
            scn = int(header or event["source"]["commit_scn"])
            if scn > source.check_scn:
                continue
            row = None if event["op"] == "d" else of_record(event["after"])
            yield parsed(key)["ID"], row

    for batch in batches(legacy_keys()):
        seen.executemany("INSERT OR REPLACE INTO legacy VALUES (?)", batch)
    for batch in batches(changes()):
        seen.executemany("INSERT OR REPLACE INTO topic VALUES (?, ?)", batch)
    for row in source.table_rows():
        found["rows"] += 1
        known = seen.execute("SELECT row FROM topic WHERE id = ?", (int(row[0]),)).fetchone()
        if known is not None and known[0] is not None:
            found["compared"] += 1
            found["failures"] += known[0] != of_table(row)
        elif known is None and seen.execute("SELECT 1 FROM legacy WHERE id = ?", (int(row[0]),)).fetchone():
            found["byLegacy"] += 1
        else:
            found["failures"] += 1
    # What the table no longer has.
    (in_topic,) = seen.execute("SELECT COUNT(*) FROM topic WHERE row IS NOT NULL").fetchone()
    (only_legacy,) = seen.execute("SELECT COUNT(*) FROM legacy WHERE id NOT IN (SELECT id FROM topic)").fetchone()
    found["failures"] += in_topic - found["compared"] + only_legacy - found["byLegacy"]
    seen.execute("COMMIT")
    used = resource.getrusage(resource.RUSAGE_SELF)
    result = {
        "records": found["rows"] + found["newRecords"] + found["legacyRecords"],
        "found": found,
        "millis": (time.perf_counter() - started) * 1000,
        "processorMillis": (used.ru_utime + used.ru_stime) * 1000,
        "memory": used.ru_maxrss * 1024,
        "disk": os.path.getsize(database),
    }
    seen.close()
    os.remove(database)
    print(json.dumps(result))


FOLDER, KIND, *ARGUMENTS = sys.argv[1:]
SOURCES = {"files": Files, "systems": Systems}
main()
