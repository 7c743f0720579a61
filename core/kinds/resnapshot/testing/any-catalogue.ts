import * as fc from "fast-check";
import type { ArchivedLog, LogProbe, OnlineLog, RedoCatalogue } from "../../../../schemas/generated/facts.ts";
import { logsToProbe, type RedoQuestion } from "../../../facts/redo/redo.ts";
import { catalogue, LOCAL, RESETLOGS, thread } from "../../../facts/testing/build-catalogue.ts";

/**
 * A catalogue as worlds have them after an outage: one or two threads, each with a chain of logs of which some are
 * gone, and a current log.
 */
export interface AnyRedo {
  readonly catalogue: RedoCatalogue;
  readonly question: RedoQuestion;
  readonly probes: readonly LogProbe[];
}

const fate = fc.oneof(
  { arbitrary: fc.constant("there" as const), weight: 8 },
  { arbitrary: fc.constantFrom("absent", "deleted", "expired", "nameless", "removed", "elsewhere"), weight: 2 },
);

const chain = fc.record({
  begins: fc.bigInt({ min: RESETLOGS, max: 15n }),
  logs: fc.array(fc.record({ length: fc.bigInt({ min: 1n, max: 12n }), fate }), { minLength: 1, maxLength: 9 }),
  currentOpens: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  disabledAt: fc.option(fc.bigInt({ min: 8n, max: 60n }), { nil: undefined, freq: 8 }),
});

export const anyRedo: fc.Arbitrary<AnyRedo> = fc
  .record({
    chains: fc.array(chain, { minLength: 1, maxLength: 2 }),
    from: fc.bigInt({ min: 1n, max: 70n }),
    currentScn: fc.bigInt({ min: 20n, max: 70n }),
    captureMode: fc.constantFrom("online" as const, "online" as const, "archive_only" as const),
    destination: fc.integer({ min: 0, max: 19 }).map((n) => n > 0),
  })
  .map(({ chains, from, currentScn, captureMode, destination }) => {
    const archived: ArchivedLog[] = [];
    const online: OnlineLog[] = [];
    const removed = new Set<string>();
    for (const [index, { begins, logs, currentOpens, disabledAt }] of chains.entries()) {
      const of = BigInt(index + 1);
      let scn = begins;
      for (const [place, log] of logs.entries()) {
        const sequence = BigInt(place + 1);
        const name = `/arch/${of}_${sequence}`;
        const row: ArchivedLog = {
          thread: of,
          sequence,
          firstScn: scn,
          nextScn: scn + log.length,
          name: log.fate === "nameless" ? undefined : name,
          status: log.fate === "expired" ? "X" : "A",
          deleted: log.fate === "deleted",
          destination: log.fate === "elsewhere" ? 2n : 1n,
          standby: false,
          resetlogsScn: RESETLOGS,
          bytes: 1n,
        };
        scn += log.length;
        if (log.fate !== "absent") archived.push(row);
        if (log.fate === "removed") removed.add(name);
      }
      const member = `/redo/${of}`;
      if (!currentOpens) removed.add(member);
      if (disabledAt === undefined)
        online.push({
          thread: of,
          sequence: BigInt(logs.length + 1),
          firstScn: scn,
          status: "CURRENT",
          archived: false,
          member,
          bytes: 1n,
        });
    }
    const question: RedoQuestion = { from, currentScn, resetlogsScn: RESETLOGS, captureMode, destination: undefined };
    const seen = catalogue({
      threads: chains.map(({ disabledAt }, index) =>
        thread(BigInt(index + 1), disabledAt === undefined ? {} : { enabled: "DISABLED", disableScn: disabledAt }),
      ),
      destinations: [{ ...LOCAL, status: destination ? "VALID" : "ERROR" }],
      archived,
      online,
    });
    const probes = logsToProbe(seen, { ...question, from: 0n }).map(
      (file): LogProbe =>
        removed.has(file)
          ? { file, opened: false, code: "ORA-00308", message: "cannot open archived log" }
          : { file, opened: true },
    );
    return { catalogue: seen, question, probes };
  });
