import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type PreflightFacts, readPreflight } from "../facts/preflight.ts";
import { CHECKS } from "../kinds/checks.ts";
import { countLevels, isReady, preflight } from "./preflight.ts";
import { known, preflightReading, thread, unseen } from "./testing/build-preflight.ts";

const check = suite("a preflight");

check("of a ready database reports every check as fine, with what it found", () => {
  const found = preflight(preflightReading());
  assert.equal(
    found.filter(({ level }) => level !== "fine").map(({ code }) => code),
    [],
  );
  assert.ok(isReady(found, true));
  for (const { code, seen } of found) assert.is.not(seen, "ok", code);
});

/** A preflight of a worker with exactly-once, the only one that reads every fact. */
const EXACTLY_ONCE = {
  settings: {
    exactlyOnce: {
      by: "exactly.once.support=required",
      batchMillis: 500,
      timeoutMillis: 60_000,
    },
  },
};

const FACTS = Object.keys(preflightReading().facts).filter((name) => name !== "settings") as Exclude<
  keyof PreflightFacts,
  "settings"
>[];

check("never reports as fine what could not be read, whichever facts these are, and reports why", async () => {
  await fc.assert(
    fc.property(fc.subarray(FACTS, { minLength: 1 }), fc.boolean(), (hidden, strict) => {
      const { facts } = preflightReading(EXACTLY_ONCE);
      const without = Object.fromEntries(hidden.map((name) => [name, unseen(`${name} is hidden`)]));
      const found = preflight(readPreflight({ ...facts, ...without }));
      assert.not.ok(isReady(found, strict));
      for (const name of hidden)
        assert.ok(
          found.some(({ level, seen }) => level === "unknown" && seen.includes("is hidden")),
          name,
        );
      assert.is(countLevels(found).blocking, 0, "a hidden fact is not a fault either");
    }),
  );
});

check("every fact is needed by some check", () => {
  const { facts } = preflightReading(EXACTLY_ONCE);
  for (const name of FACTS) {
    const found = preflight(readPreflight({ ...facts, [name]: unseen(`${name} is hidden`) }));
    assert.ok(
      found.some(({ seen }) => seen === `${name} is hidden`),
      name,
    );
  }
});

check("blocks by refusals and by what a plan file could accept; advisories warn", () => {
  const found = preflight(
    preflightReading({
      database: { logMode: "NOARCHIVELOG" },
      threads: known([thread(1n), thread(2n)]),
    }),
  );
  assert.equal(
    found.filter(({ level }) => level === "blocking").map(({ code }) => code),
    ["DBA401", "RED204"],
  );
  assert.not.ok(isReady(found, false));
});

check("passes with a warning, unless warnings count", () => {
  const { facts } = preflightReading();
  const logging = known({ minimal: "YES", primaryKey: true, all: false });
  const found = preflight(readPreflight({ ...facts, logging, logGroups: known([]) }));
  assert.equal(
    found.filter(({ level }) => level !== "fine").map(({ code, level }) => [code, level]),
    [["TAB103", "warning"]],
  );
  assert.ok(isReady(found, false));
  assert.not.ok(isReady(found, true));
});

check("has one finding per check, in the checks' order", () => {
  assert.equal(
    preflight(preflightReading()).map(({ code }) => code),
    CHECKS.Preflight.map(({ code }) => code),
  );
});

check.run();
