import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RedoCatalogue } from "../../../schemas/generated/facts.ts";
import { archived, catalogue, logs, online, question } from "../testing/build-catalogue.ts";
import { redoFrom } from "./from.ts";

const redo = suite("redo for a task in archive_only");

const purged = (from: bigint, to: bigint) => logs(from, to).map((log) => ({ ...log, deleted: true }));
const SWITCHED = [online(14n, { nextScn: 150n, status: "ACTIVE" }), online(15n)];

/** Logs 10 to 14 of ten SCNs each from 100 on, 15 on line from 150; current is 155. */
const cases: readonly (readonly [
  what: string,
  catalogue: Partial<RedoCatalogue>,
  from: bigint,
  complete: boolean,
  firstAvailable: bigint | undefined,
])[] = [
  ["past the last archived log, the online log is waited for", {}, 152n, true, 152n],
  [
    "a gap that reaches the last archived log: the online log begins after it",
    { archived: [...logs(10n, 12n), ...purged(13n, 14n)] },
    115n,
    false,
    150n,
  ],
  ["everything archived is missing", { archived: purged(10n, 14n) }, 115n, false, 150n],
  [
    "a log that is not archived yet begins after it as well",
    { archived: [...logs(10n, 12n), ...purged(13n, 13n)], online: SWITCHED },
    115n,
    false,
    140n,
  ],
  [
    "a gap before archived logs, which are mined",
    { archived: [...logs(10n, 11n), ...purged(12n, 12n), ...logs(13n, 14n)] },
    115n,
    false,
    130n,
  ],
  [
    "an online log without a readable member is not waited for",
    { archived: purged(10n, 14n), online: [online(15n, { member: undefined })] },
    115n,
    false,
    undefined,
  ],
  ["nothing at all", { archived: [], online: [] }, 115n, false, undefined],
];

for (const [what, parts, from, complete, firstAvailable] of cases)
  redo(`${what}: a move to the SCN after the gap is accepted by the rule that found it`, () => {
    const all = catalogue(parts);
    const asked = question({ captureMode: "archive_only", from });
    const found = redoFrom(all, asked, undefined);
    assert.is(found.complete, complete);
    assert.is(found.firstAvailable, firstAvailable);
    if (firstAvailable === undefined) return;
    assert.is(redoFrom(all, { ...asked, from: firstAvailable }, undefined).complete, true);
    assert.is(redoFrom(all, { ...asked, from: firstAvailable - 1n }, undefined).complete, complete);
  });

redo("the earliest SCN is in the online log if no archived one is left", () => {
  const asked = question({ captureMode: "archive_only", from: 0n });
  assert.is(redoFrom(catalogue({ archived: purged(10n, 14n) }), asked, undefined).earliest, 150n);
  assert.is(redoFrom(catalogue({ archived: [archived(14n)] }), asked, undefined).earliest, 140n);
});

redo.run();
