import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type FailureKind } from "../../core/errors.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { isLost, translate } from "./oracle-failure.ts";
import { ARCHIVED_LOGS, ONLINE_LOGS } from "./statements.ts";

const CONNECTING = { address: "db:1521/ORCL", user: "C##CDC", common: true };

const ERRORS: readonly (readonly [thrown: string, kind: FailureKind, code: string, says: RegExp])[] = [
  ["ORA-01017: invalid username/password; logon denied", "unauthorized", "ORA-01017", /C##CDC/],
  ["ORA-28000: the account is locked", "unauthorized", "ORA-28000", /locked/],
  ["ORA-01045: user C##CDC lacks CREATE SESSION privilege", "unauthorized", "ORA-01045", /may not log in/],
  ["NJS-116: password verifier type 0x939 is not supported", "unsupported", "NJS-116", /verifier/],
  ["NJS-138: connections to this database server version are not supported", "unsupported", "NJS-138", /12\.1/],
  ["NJS-533: Advanced Networking Option negotiation failed\nORA-12660", "unsupported", "NJS-533", /encryption/],
  ['NJS-518: cannot connect. Service "X" is not registered', "unreachable", "NJS-518", /ORCL.*service/],
  ['NJS-519: cannot connect. SID "X" is not registered', "unreachable", "NJS-519", /SID/],
  [
    "NJS-503: connection to host db port 1521 could not be established. (CONNECTION_ID=abc)\nconnect ECONNREFUSED",
    "unreachable",
    "NJS-503",
    /ECONNREFUSED/,
  ],
  [
    "NJS-511: connection to listener refused. (CONNECTION_ID=abc)\nCause: ORA-12528",
    "unreachable",
    "ORA-12528",
    /starting/,
  ],
  ["NJS-510: connection to host db port 1521 timed out", "timeout", "NJS-510", /in time/],
  ["NJS-530: host addresses or URL provided are incorrect", "unreachable", "NJS-530", /can't be resolved/],
  ["NJS-506: TLS handshake failure\nself-signed certificate", "unreachable", "NJS-506", /TLS.*self-signed/],
  ["NJS-508: TLS server host name does not match", "unreachable", "NJS-508", /another host/],
  ["NJS-500: connection to Oracle Database was closed or broken", "unreachable", "NJS-500", /closed the connection/],
  ["NJS-123: call timeout of 60000 ms exceeded", "timeout", "NJS-123", /in time/],
  ["ORA-01033: ORACLE initialization or shutdown in progress", "unreachable", "ORA-01033", /starting or shutting/],
  ["ORA-01034: ORACLE not available", "unreachable", "ORA-01034", /down/],
];

const failures = suite("Oracle's error codes");

for (const [thrown, kind, code, says] of ERRORS)
  failures(`${code} is ${kind}`, () => {
    const failure = translate(new Error(thrown), CONNECTING);
    if (!(failure instanceof CallFailed)) throw new Error("not translated");
    assert.equal([failure.kind, failure.code], [kind, code]);
    assert.match(failure.message, says);
    assert.match(failure.message, "db:1521/ORCL");
    assert.not.match(failure.message, "CONNECTION_ID");
  });

failures("an error of recursive SQL is judged by the one that it wraps", () => {
  const of = (wrapped: string) =>
    translate(new Error(`ORA-00604: error occurred at recursive SQL level 1\n${wrapped}`), {
      ...CONNECTING,
      sql: ARCHIVED_LOGS,
    });
  for (const [wrapped, kind, code] of [
    ["ORA-01031: insufficient privileges", "forbidden", "ORA-01031"],
    ["ORA-03113: end-of-file on communication channel", "lost", "ORA-03113"],
    ["ORA-16331: container PDB2 is not open", "rejected", "ORA-16331"],
    ["", "rejected", "ORA-00604"],
  ] as const) {
    const failure = of(wrapped);
    assert.equal(failure instanceof CallFailed && [failure.kind, failure.code], [kind, code]);
  }
  assert.ok(isLost(new Error("ORA-00604: error occurred at recursive SQL level 1\nORA-03113: end-of-file")));
});

failures("a closed PDB passes once it is open", () => {
  const failure = translate(new Error("ORA-16331: container PDB2 is not open"), { ...CONNECTING, sql: "BEGIN …" });
  assert.ok(failure instanceof CallFailed);
  assert.match(failure.message, /a PDB with changes in the redo is not open .*PDB2/);
  assert.match(linesOf(failure.remedies), "Open the PDB and save its state");
});

failures("an unreadable view is named by the error's position, or else by the statement", () => {
  const at = ONLINE_LOGS.indexOf("V$LOGFILE");
  const remedy = (sql: string, offset: number) => {
    const thrown = Object.assign(new Error("ORA-00942: table or view does not exist"), { offset });
    const failure = translate(thrown, { ...CONNECTING, sql });
    return failure instanceof CallFailed && failure.kind === "forbidden" ? linesOf(failure.remedies) : undefined;
  };
  assert.is(remedy(ONLINE_LOGS, at), "GRANT SELECT ON V_$LOGFILE TO C##CDC CONTAINER=ALL;");
  assert.is(remedy(ARCHIVED_LOGS, 0), "GRANT SELECT ON V_$ARCHIVED_LOG TO C##CDC CONTAINER=ALL;");
  assert.match(remedy(ONLINE_LOGS, 0) ?? "", /V_\$LOGFILE .*V_\$LOG /);
});

failures("a GRANT depends on the kind of user that the database reports, and not on its name", () => {
  const remedy = (user: string, common: boolean | undefined) => {
    const doing = { ...CONNECTING, user, common, sql: ARCHIVED_LOGS };
    const failure = translate(new Error("ORA-00942: table or view does not exist"), doing);
    return failure instanceof CallFailed ? linesOf(failure.remedies) : undefined;
  };
  assert.is(remedy("X_CDC", true), "GRANT SELECT ON V_$ARCHIVED_LOG TO X_CDC CONTAINER=ALL;");
  assert.is(remedy("C##CDC", false), "GRANT SELECT ON V_$ARCHIVED_LOG TO C##CDC;");
  assert.match(remedy("C##CDC", undefined) ?? "", "TO C##CDC; (with CONTAINER=ALL where it is a common user, which");
});

failures("a hidden DBMS_LOGMNR is a missing grant, other compilation errors are not", () => {
  const of = (text: string) => translate(new Error(text), { ...CONNECTING, sql: "BEGIN …" });
  const denied = of("ORA-06550: line 15, column 9:\nPLS-00201: identifier 'DBMS_LOGMNR' must be declared");
  assert.ok(denied instanceof CallFailed && denied.kind === "forbidden");
  const other = of("ORA-06550: line 1, column 7:\nPLS-00306: wrong number or types of arguments");
  assert.ok(other instanceof CallFailed && other.kind === "rejected");
});

failures("a connection that breaks during a call is lost, and does not show whether the call took effect", () => {
  for (const thrown of ["NJS-500: closed or broken", "ORA-03113: end-of-file on communication channel"]) {
    const failure = translate(new Error(thrown), { ...CONNECTING, sql: ARCHIVED_LOGS });
    assert.is(failure instanceof CallFailed && failure.kind, "lost");
  }
});

failures("an error that is not the database's stays unchanged", () => {
  const bug = new TypeError("undefined is not a function");
  assert.is(translate(bug, CONNECTING), bug);
});

failures("only a lost connection makes a read start again", () => {
  assert.ok(isLost(new Error("NJS-500: closed")));
  assert.not.ok(isLost(new Error("NJS-123: call timeout of 200 ms exceeded")));
  assert.not.ok(isLost(new Error("ORA-00942: table or view does not exist")));
});

failures.run();
