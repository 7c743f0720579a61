"""Runs every check with python-oracledb (thin) against a server; prints PASS or FAIL a line. Arguments: NAME=PORT ..."""

import datetime
import decimal
import sys

import oracledb

BIG = 12345678901234567890123456789012345678
oracledb.defaults.fetch_decimals = True


def same(got, want):
    assert got == want, f"got {got!r}, want {want!r}"


def code_of(call):
    try:
        call()
    except oracledb.DatabaseError as error:
        return error.args[0]
    raise AssertionError("it did not fail")


def run(name, port):
    dsn = f"127.0.0.1:{port}/ORCLPDB1"

    def connect(**more):
        where = {"user": "miner", "password": "Pä$$ w0rd-€", "dsn": dsn, "tcp_connect_timeout": 5}
        return oracledb.connect(**{**where, **more})

    connection = connect()
    connection.call_timeout = 8000
    cursor = connection.cursor()

    def types():
        for _ in range(2):
            rows = cursor.execute("SELECT * FROM TYPES").fetchall()
            moment = datetime.datetime(2024, 2, 29, 23, 59, 58)
            precise = moment.replace(microsecond=123000)
            same(rows[0][:6], (1, BIG, decimal.Decimal("-0.000001"), decimal.Decimal("-12.5"), "héllo ✓", "abc  "))
            same(rows[0][6:], (moment, precise, precise, b"\xca\xfe"))
            same(rows[1], (2, -BIG, 0) + (None,) * 7)
            same(int(rows[2][1]), 18446744073709551615)

    def binds():
        when = datetime.datetime(2024, 1, 2, 3, 4, 5, 678000)
        timed = connection.cursor()
        timed.setinputsizes(None, None, oracledb.DB_TYPE_TIMESTAMP, None, None)
        row = timed.execute("SELECT :1, :2, :3, :4, :5 FROM DUAL", [BIG, "héé", when, b"\x01\x02", None]).fetchone()
        same(row, (BIG, "héé", when, b"\x01\x02", None))
        same(cursor.execute("SELECT :a, :b FROM DUAL", a=7, b="é" * 16000).fetchone(), (7, "é" * 16000))

    def many():
        for size in (7, 1000):
            cursor.arraysize = size
            rows = cursor.execute("SELECT ID, TXT, SAME FROM BIG WHERE N <= :1", [3000]).fetchall()
            same(len(rows), 3000)
            same(rows[2998][1], "x" * (2999 % 300) + "é✓")
        same(cursor.execute("SELECT * FROM EMPTY").fetchall(), [])

    def errors():
        missing = code_of(lambda: cursor.execute("SELECT * FROM NOPE"))
        same((missing.code, missing.offset, missing.full_code), (942, 14, "ORA-00942"))
        same(code_of(lambda: cursor.execute("BEGIN DBMS_LOGMNR.END_LOGMNR; END;")).code, 1307)
        same(cursor.execute("SELECT DUMMY FROM DUAL").fetchone(), ("X",))

    def plsql():
        for who in ("you", "them"):
            scn, text = cursor.var(oracledb.NUMBER), cursor.var(str)
            cursor.execute("BEGIN :scn := 1; :txt := :i; END;", scn=scn, txt=text, i=who)
            same((int(scn.getvalue()), text.getvalue()), (BIG, f"hello {who}"))

    def tables():
        words = cursor.arrayvar(str, ["a", "é", "c"])
        numbers = cursor.arrayvar(oracledb.NUMBER, [1, 2, 3])
        words_out, numbers_out = cursor.arrayvar(str, 10), cursor.arrayvar(oracledb.NUMBER, 10)
        cursor.execute(
            "BEGIN REVERSED(:words, :numbers, :words_out, :numbers_out); END;",
            words=words,
            numbers=numbers,
            words_out=words_out,
            numbers_out=numbers_out,
        )
        same(words_out.getvalue(), ["c", "é", "a"])
        same([int(number) for number in numbers_out.getvalue()], [3, 2, 1])

    def lobs():
        rows = [(number, lob and lob.read()) for number, lob in cursor.execute("SELECT ID, DDL FROM CLOBS")]
        same(rows, [(1, "CREATE TABLE é✓ " * 5000), (2, "short"), (3, None)])
        oracledb.defaults.fetch_lobs = False
        rows = cursor.execute("SELECT ID, DDL FROM CLOBS /* 2 */").fetchall()
        oracledb.defaults.fetch_lobs = True
        same(rows[0], (1, "CREATE TABLE é✓ " * 5000))
        longs = cursor.execute("SELECT * FROM LONGS").fetchall()
        same(longs, [("SYSDATE", "A"), (None, "B"), ("0123456789" * 1000, "C")])

    def more_types():
        row = cursor.execute("SELECT * FROM MORE").fetchone()
        same(row[:2], (1.5, -2.25e100))
        same((row[2].years, row[2].months), (-1, -2))
        same(row[3], datetime.timedelta(3, 4 * 3600 + 5 * 60 + 6, 789000))
        same(row[7].read(), b"\x00\xff\x10" * 3000)

    def transactions():
        cursor.execute("UPDATE T SET A = :1", [1])
        same((cursor.rowcount, connection.transaction_in_progress), (3, True))
        connection.commit()
        same(connection.transaction_in_progress, False)
        cursor.executemany("INSERT INTO T VALUES (:1, :2)", [(i, "z" * 100) for i in range(2000)])
        same(cursor.rowcount, 2000)
        connection.rollback()
        connection.module = "m"
        connection.current_schema = "ABC"
        connection.ping()

    def cancel():
        other = connect()
        other.call_timeout = 200
        assert "4024" in str(code_of(lambda: other.cursor().execute("BEGIN SLEEP(30); END;")))
        other.call_timeout = 0
        same(other.cursor().execute("SELECT DUMMY FROM DUAL").fetchone(), ("X",))
        other.close()

    def logon():
        same(code_of(lambda: connect(password="no")).full_code, "ORA-01017")
        same(code_of(lambda: connect(user="locked", password="tiger")).full_code, "ORA-28000")
        assert "DPY-6001" in str(code_of(lambda: connect(dsn=f"127.0.0.1:{port}/NOPE")))
        by_sid = "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=%s))(CONNECT_DATA=(SID=%s)))"
        assert "DPY-6003" in str(code_of(lambda: connect(dsn=by_sid % (port, "NOPE"))))
        connect(dsn=by_sid % (port, "ORCL")).close()

    for check in (types, binds, many, errors, plsql, tables, lobs, more_types, transactions, cancel, logon):
        try:
            check()
            print(f"PASS {name}: {check.__name__}", flush=True)
        except Exception as error:
            print(f"FAIL {name}: {check.__name__}: {error!r}"[:400].replace("\n", " "), flush=True)
    connection.close()


for argument in sys.argv[1:]:
    server, _, number = argument.rpartition("=")
    run(server, number)
