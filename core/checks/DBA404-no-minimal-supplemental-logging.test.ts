import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, preflightReading, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { noMinimalSupplementalLogging } from "./DBA404-no-minimal-supplemental-logging.ts";

const check = suite("DBA404 minimal supplemental logging");

const logging = (minimal: string) => ({ logging: known({ minimal, primaryKey: false, all: false }) });

check("passes where it is on, by itself or implied by another level", () => {
  for (const minimal of ["YES", "IMPLICIT"])
    assert.match(saidBy(noMinimalSupplementalLogging, logging(minimal)), /^pass: .*(YES|IMPLICIT)$/);
});

check("fails where it is off, with the statement that turns it on in the root", () => {
  const verdict = noMinimalSupplementalLogging.run(undefined, preflightReading(logging("NO")));
  assert.ok(verdict.verdict === "fail");
  assert.equal(verdict.remedies, [
    "Turn it on, once for the whole database, in CDB$ROOT:  ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;",
  ]);
});

check("fails for what it does not know, and is unknown where it was not seen", () => {
  assert.match(saidBy(noMinimalSupplementalLogging, logging("PERHAPS")), /^fail/);
  assert.match(saidBy(noMinimalSupplementalLogging, { logging: unseen("no grant") }), "unknown: no grant");
});

check.run();
