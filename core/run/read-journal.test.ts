import { suite } from "uvu";
import * as assert from "uvu/assert";
import schema from "../../schemas/run-journal.schema.json" with { type: "json" };
import { KINDS } from "../document/kinds.ts";
import { STEPS } from "../plan/steps.ts";
import { applied, cutOver, goneBack, retired, verified } from "../plan/testing/build-migration-run.ts";
import { buildRun, signalled, untilSucceeded } from "../plan/testing/build-run.ts";
import { cutover, goingBack, retirement, verification } from "../plan/testing/example-migrations.ts";
import { backward } from "../plan/testing/example-plans.ts";
import { pastGap } from "../plan/testing/example-snapshots.ts";
import { type JsonObject, parseJson, printJson } from "../values/json.ts";
import { linesOf } from "../values/remedy.ts";
import type { JournalEntry, JournalEvent } from "./journal.ts";
import { journalLine, readJournal, recoverFromOps, unreadableFailure } from "./read-journal.ts";

const reading = suite("a journal is read as it was written, or not at all");

const { entries } = buildRun(backward, untilSucceeded(backward));
const LINES = entries.map(journalLine);
const TEXT = LINES.join("");

/** A line whose checksum fits, with other members. */
function forged(line: string, members: JsonObject): string {
  const { entry } = parseJson(line) as { entry: JsonObject };
  return journalLine({ ...entry, ...members } as unknown as JournalEntry);
}

const replaced = (index: number, line: string) => LINES.map((one, i) => (i === index ? line : one)).join("");
const unreadable = (text: string) => {
  const read = readJournal(text);
  return "unreadable" in read ? read.unreadable : undefined;
};
const count = (text: string) => {
  const read = readJournal(text);
  return "unreadable" in read ? undefined : read.entries.length;
};

reading("every entry that a run can write is read back unchanged", () => {
  const events: readonly JournalEvent[] = [
    ...untilSucceeded(backward),
    ...signalled(pastGap),
    { type: "patch-unanswered", attempt: 1n, why: "no answer" },
    { type: "step-failed", step: "patch-offset", error: "no", code: undefined },
    { type: "step-unclear", step: "patch-offset", why: "no answer" },
    { type: "call-rejected", call: "POST connector a" },
    { type: "call-unanswered", call: "POST connector a", why: "no answer" },
    { type: "backed-out", resumed: true },
    { type: "recovery-started", operator: "ben" },
    ...applied("POST connector a"),
  ];
  for (const run of [
    buildRun(backward, events),
    buildRun(pastGap, events),
    buildRun(cutover, cutOver),
    buildRun(goingBack, goneBack),
    buildRun(verification, verified(true)),
    buildRun(retirement, retired),
  ]) {
    const read = readJournal(run.entries.map(journalLine).join(""));
    assert.ok("entries" in read, "unreadable" in read ? read.unreadable.why : "");
    assert.equal(
      read.entries.map((entry) => printJson(entry)),
      run.entries.map((entry) => printJson(entry)),
    );
  }
});

reading("an entry of an earlier version, which says fixed instead of pinned, is read by its present name", () => {
  const run = buildRun(pastGap, signalled(pastGap));
  const earlier = run.entries.map(journalLine).map((line) => {
    const type = run.entries.map((entry) => entry.type).find((name) => line.includes(`"type":"${name}"`));
    return type?.endsWith("-pinned") ? forged(line, { type: type.replace("pinned", "fixed") }) : line;
  });
  assert.match(earlier.join(""), '"type":"signal-fixed"');
  const read = readJournal(earlier.join(""));
  assert.ok("entries" in read);
  assert.equal(read.entries.map(journalLine), run.entries.map(journalLine));
});

reading("a tail torn off by a crash is ignored, wherever it was torn", () => {
  const last = LINES.at(-1) ?? "";
  for (let cut = 0; cut < last.length; cut++) {
    const read = readJournal(TEXT.slice(0, TEXT.length - last.length + cut));
    assert.ok("entries" in read && read.entries.length === entries.length - 1);
    assert.is(read.whole, TEXT.length - last.length);
  }
});

reading("a journal is created with its first entry: one without a complete line is damaged", () => {
  for (const text of ["", "{", (LINES[0] ?? "").slice(0, -1), "\u0000\u0000"])
    assert.is(unreadable(text)?.why, "is damaged: it has no complete entry");
});

reading("a flipped character in any complete line, including the last one, is damage of that line", () => {
  for (const [index, line] of LINES.entries()) {
    for (let at = 0; at < line.length - 1; at += 13) {
      const flipped = `${line.slice(0, at)}${line[at] === "~" ? "!" : "~"}${line.slice(at + 1)}`;
      assert.is(unreadable(replaced(index, flipped))?.line, index + 1);
    }
  }
});

reading("two lines that have become one are damage, also at the end", () => {
  for (let index = 0; index < LINES.length - 1; index++) {
    const joined = `${(LINES[index] ?? "").slice(0, -1)} ${LINES[index + 1]}`;
    assert.is(unreadable([...LINES.slice(0, index), joined, ...LINES.slice(index + 2)].join(""))?.line, index + 1);
  }
});

reading("a lost, repeated or moved line is damage, whatever its checksum is", () => {
  const cases: [string, readonly string[], number][] = [];
  for (let index = 0; index < LINES.length; index++) {
    // A journal without its last line is one that was killed earlier.
    if (index < LINES.length - 1) cases.push(["lost", LINES.filter((_, i) => i !== index), index + 1]);
    cases.push(["repeated", LINES.flatMap((line, i) => (i === index ? [line, line] : [line])), index + 2]);
  }
  cases.push(["swapped", [LINES[1] ?? "", LINES[0] ?? "", ...LINES.slice(2)], 1]);
  cases.push(["alone", LINES.slice(-1), 1]);
  for (const [what, lines, line] of cases) assert.is(unreadable(lines.join(""))?.line, line, what);
});

/** Sound lines of another version: [what, which line, its members]. */
const FOREIGN: readonly (readonly [string, number, JsonObject])[] = [
  ["an unknown entry", 3, { type: "step-delegated" }],
  ["an unknown entry at the end", entries.length - 1, { type: "run-suspended" }],
  ["an entry named like a member of every object", 3, { type: "toString" }],
  ["an unknown outcome", entries.length - 1, { outcome: "parked" }],
  ["an unknown step", 1, { step: "fence-connector" }],
  ["a step named like a member of every object", 1, { step: "constructor" }],
  ["a number where a text belongs", 1, { step: 4n }],
  ["a text where a number belongs", 2, { millis: "4" }],
  ["no time", 1, { at: null }],
  ["a subject of an unknown command", 0, { subject: { command: "compact" } }],
  ["a second beginning", 3, parseJson(printJson(entries[0])) as JsonObject],
];

for (const [what, index, members] of FOREIGN) {
  reading(`${what} belongs to another version, which is named`, () => {
    const cdcctl = "9.1.0";
    const lines = [forged(LINES[0] ?? "", { cdcctl, ...(index === 0 ? members : {}) }), ...LINES.slice(1)];
    if (index > 0) lines[index] = forged(LINES[index] ?? "", { ...members, seq: BigInt(index) });
    const seen = unreadable(lines.join(""));
    assert.is(seen?.line, index + 1);
    assert.is(seen?.writtenBy, cdcctl);
    assert.is(seen?.known.length, index);
    assert.match(seen?.why ?? "", /can't read; the run was started by cdcctl 9\.1\.0/);
  });
}

reading("a first entry that begins nothing makes the journal unreadable", () => {
  const only = forged(LINES[1] ?? "", { seq: 0n });
  assert.is(unreadable(only)?.line, 1);
  assert.is(unreadable(only)?.writtenBy, "");
});

reading("every step and every kind of plan file that this version knows can be in a journal", () => {
  const { stepName, plan } = schema.$defs;
  assert.equal([...stepName.enum].sort(), Object.keys(STEPS).sort());
  assert.equal([...plan.properties.intent.properties.kind.enum].sort(), [...KINDS].sort());
});

reading("unknown members are accepted", () => {
  assert.is(count(replaced(1, forged(LINES[1] ?? "", { hint: "new" }))), entries.length);
});

reading("the remedies name the file, the line and a command that can be typed", () => {
  const journal = { path: "/s/a.jsonl", ...(unreadable(replaced(2, "garbage\n")) ?? { line: 0, why: "", known: [] }) };
  const failure = unreadableFailure(journal, "orders cdc");
  assert.is(failure.message, "/s/a.jsonl:3 is damaged: its checksum does not match");
  assert.match(
    linesOf(failure.remedies),
    /--context prod --connector 'orders cdc'|--connect-url \S+ --connector 'orders cdc'/,
  );
  assert.match(recoverFromOps({ ...journal, known: [] }, "c"), /--context CONTEXT --connector c$/);
});

reading.run();
