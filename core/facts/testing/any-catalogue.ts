import * as fc from "fast-check";
import type { ArchivedLog, LogProbe, OnlineLog, RedoCatalogue, RedoThread } from "../../../schemas/generated/facts.ts";
import type { RedoQuestion } from "../redo/redo.ts";

const USUAL_RESETLOGS = 3n;
/** An incarnation before every other. */
const BEFORE = -1n;

const small = (max: number) => fc.integer({ min: 0, max }).map(BigInt);
const rarely = fc.integer({ min: 0, max: 14 }).map((n) => n === 0);

const threadRow = fc.record({
  listed: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  enabled: fc.constantFrom("PUBLIC", "PUBLIC", "PRIVATE", "DISABLED"),
  enableScn: fc.oneof(fc.constant(0n), fc.constant(USUAL_RESETLOGS), small(50)),
  disableScn: fc.oneof(fc.constant(undefined), fc.constant(undefined), small(59)),
});

/** One log of the chain that a thread would have, and what has become of it. */
const step = fc.record({
  length: fc.integer({ min: 1, max: 12 }).map(BigInt),
  shift: fc.oneof(
    { arbitrary: fc.constant(0n), weight: 12 },
    { arbitrary: fc.integer({ min: -6, max: 6 }).map(BigInt), weight: 1 },
  ),
  fate: fc.oneof(
    { arbitrary: fc.constant("there" as const), weight: 16 },
    {
      arbitrary: fc.constantFrom(
        ...(["absent", "D", "X", "U", "deleted", "purged", "nameless", "standby", "elsewhere", "incarnation"] as const),
      ),
      weight: 3,
    },
  ),
  twin: fc.oneof(
    { arbitrary: fc.constant("none" as const), weight: 6 },
    { arbitrary: fc.constantFrom("same", "purged", "elsewhere", "elsewhere", "standby", "incarnation"), weight: 1 },
  ),
  opens: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
});

const SOUND = { shift: 0n, fate: "there", opens: true } as const;

const chain = fc.record({
  thread: threadRow,
  begins: small(20),
  sequence: fc.integer({ min: 1, max: 5 }).map(BigInt),
  steps: fc.oneof(fc.array(step, { maxLength: 9 }), fc.array(step, { minLength: 5, maxLength: 9 })),
  online: fc.integer({ min: 0, max: 3 }),
  archivedToo: fc.boolean(),
  memberless: rarely,
  stray: rarely,
});

/** A redo catalogue, a question, and which files open, as hostile as a catalogue can be; SCNs below 130. */
export const anyWorld = fc.record({
  chains: fc.oneof(
    { arbitrary: fc.array(chain, { maxLength: 3 }), weight: 1 },
    { arbitrary: fc.array(chain, { minLength: 1, maxLength: 3 }), weight: 3 },
  ),
  resetlogsScn: fc.oneof({ arbitrary: fc.constant(USUAL_RESETLOGS), weight: 3 }, { arbitrary: small(40), weight: 1 }),
  scns: fc.tuple(small(59), small(59)),
  /** The question begins above the current SCN. */
  ahead: rarely,
  wellFormed: fc.boolean(),
  /** So many of the newest logs of each thread are sound, so that there is something after a gap. */
  sound: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
  captureMode: fc.constantFrom("online" as const, "archive_only" as const),
  destination: fc.constantFrom(
    ...[undefined, undefined, undefined, undefined, undefined],
    ...(["LOG_ARCHIVE_DEST_1", "LOG_ARCHIVE_DEST_1", "LOG_ARCHIVE_DEST_2"] as const),
  ),
  valid: fc.integer({ min: 0, max: 19 }).map((n) => n > 0),
  probed: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  shuffle: fc.integer(),
});

export type AnyWorld = typeof anyWorld extends fc.Arbitrary<infer T> ? T : never;

export interface Built {
  readonly catalogue: RedoCatalogue;
  readonly question: RedoQuestion;
  /** What came of opening every file that the catalogue names; undefined when none was tried. */
  readonly probes: readonly LogProbe[] | undefined;
}

export function buildWorld(seen: AnyWorld): Built {
  const { resetlogsScn } = seen;
  const [earlier, later] = seen.scns;
  const threads: RedoThread[] = [];
  const archived: ArchivedLog[] = [];
  const online: OnlineLog[] = [];
  const unopened = new Set<string>();
  for (const [i, one] of seen.chains.entries()) {
    const number = BigInt(i + 1);
    if (one.thread.listed || seen.wellFormed)
      threads.push({ ...one.thread, thread: number, status: "OPEN", sequence: 1n });
    let scn = seen.wellFormed && one.begins > one.thread.enableScn ? one.thread.enableScn : one.begins;
    const steps = one.steps;
    const atLeastOnline = seen.sound > 0 ? 1 : 0;
    for (const [place, made] of steps.entries()) {
      const { length, shift, fate, twin, opens } = steps.length - place > seen.sound ? made : { ...made, ...SOUND };
      const sequence = one.sequence + BigInt(place);
      const firstScn = seen.wellFormed ? scn : scn + shift < 0n ? 0n : scn + shift;
      const nextScn = scn + length;
      scn = nextScn;
      const fromEnd = steps.length - place;
      if (fromEnd <= Math.max(one.online, atLeastOnline) && !(one.stray && fromEnd === 2)) {
        online.push({
          thread: number,
          sequence,
          firstScn,
          nextScn: fromEnd === 1 ? undefined : nextScn,
          status: fromEnd === 1 ? "CURRENT" : one.memberless ? "CLEARING" : "ACTIVE",
          archived: one.archivedToo,
          member: one.memberless && fromEnd !== 2 ? undefined : `/redo/${number}_${sequence}`,
          bytes: 1n,
        });
        if (!opens) unopened.add(`/redo/${number}_${sequence}`);
        if (fromEnd === 1 || !one.archivedToo) continue;
      }
      const row: ArchivedLog = {
        thread: number,
        sequence,
        firstScn,
        nextScn,
        name: fate === "nameless" || fate === "purged" ? undefined : `/arch/${number}_${sequence}`,
        status: fate === "D" || fate === "X" || fate === "U" ? fate : fate === "purged" ? "D" : "A",
        deleted: fate === "deleted" || fate === "purged",
        destination: fate === "elsewhere" ? 2n : 1n,
        standby: fate === "standby",
        resetlogsScn: fate === "incarnation" ? BEFORE : resetlogsScn,
        bytes: 1n,
      };
      if (fate !== "absent") archived.push(row);
      if (!opens && row.name !== undefined) unopened.add(row.name);
      if (twin !== "none")
        archived.push({
          ...row,
          name: `/twin/${number}_${sequence}`,
          status: twin === "purged" ? "D" : "A",
          deleted: false,
          destination: twin === "elsewhere" ? 2n : 1n,
          standby: twin === "standby",
          resetlogsScn: twin === "incarnation" ? BEFORE : resetlogsScn,
        });
    }
  }
  const catalogue: RedoCatalogue = {
    threads,
    destinations: [
      { id: 2n, name: "LOG_ARCHIVE_DEST_2", status: "VALID", type: "LOCAL" },
      { id: 1n, name: "LOG_ARCHIVE_DEST_1", status: seen.valid ? "VALID" : "ERROR", type: "LOCAL" },
      { id: 0n, name: "LOG_ARCHIVE_DEST_0", status: "VALID", type: "PHYSICAL" },
    ],
    archived: seen.shuffle % 3 === 0 ? shuffled(archived, seen.shuffle) : archived,
    online,
  };
  const question: RedoQuestion = {
    from: seen.ahead === earlier < later ? later : earlier,
    currentScn: seen.ahead === earlier < later ? earlier : later,
    resetlogsScn: resetlogsScn,
    captureMode: seen.captureMode,
    destination: seen.destination,
  };
  // Tried are all files there are: which of them matter is for those who examine them to know.
  const files = [...archived.map(({ name }) => name), ...online.map(({ member }) => member)];
  const probes = seen.probed
    ? files.flatMap((file): readonly LogProbe[] =>
        file === undefined
          ? []
          : unopened.has(file)
            ? [{ file, opened: false, code: "ORA-00308", message: "cannot open archived log" }]
            : [{ file, opened: true }],
      )
    : undefined;
  return { catalogue, question, probes };
}

function shuffled<T>(all: readonly T[], seed: number): readonly T[] {
  return all
    .map((one, i) => [one, (Math.abs(seed) * (i + 7) * 7919) % 104729] as const)
    .sort((a, b) => a[1] - b[1])
    .map(([one]) => one);
}
