import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { created } from "../kinds/migration/testing/story.ts";
import * as offsetChange from "../kinds/offset-change/testing/build-facts.ts";
import { known, STORED, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  intent,
  pastTheGap,
  reading,
  saidBy,
  tables,
  topic,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { CHECKS } from "./catalogue.ts";
import { eventTooLarge } from "./OPS607-event-too-large.ts";
import { opsEventBytes, returnEventBytes } from "./record-size.ts";

const check = suite("OPS607 an ops event larger than its topic takes");

const wanted = intent({ tables: ["ORCLPDB1.SALES.T1"], skipGapForUnlistedTables: "all" });
const many = { tables: tables(60_000) };
const limited = (maxMessageBytes: ReturnType<typeof unseen> | bigint) =>
  known(topic({ maxMessageBytes: typeof maxMessageBytes === "bigint" ? known(maxMessageBytes) : maxMessageBytes }));

check("passes for a change of usual size, of either kind", () => {
  assert.is(effectOf(eventTooLarge, pastTheGap()), "none");
  assert.is(offsetChange.effectOf(eventTooLarge, offsetChange.reading()), "none");
});

check("refuses an event of very many unlisted tables before anything is done, with sizes and remedy", () => {
  const on = pastTheGap(many, wanted);
  assert.is(effectOf(eventTooLarge, on, { ...wanted, accept: ["OPS607"] }), "blocks");
  assert.is(effectOf(eventTooLarge, on, { ...wanted, origin: { by: "admin", file: undefined, lines: {} } }), "blocks");
  const text = saidBy(eventTooLarge, on, wanted);
  assert.match(
    text,
    /^the ops event may have up to \d{7} bytes; orders\.cdc\.ops takes 1048588 \(max\.message\.bytes\)/,
  );
  assert.match(text, /--entity-name orders\.cdc\.ops --add-config max\.message\.bytes=\d+/);
  assert.match(text, "all 59999 unlisted ones");
});

check("what its own remedy sets is enough", () => {
  const [, limit = "0"] =
    /max\.message\.bytes=(\d+)/.exec(saidBy(eventTooLarge, pastTheGap(many, wanted), wanted)) ?? [];
  assert.is(effectOf(eventTooLarge, pastTheGap({ ...many, opsTopic: limited(BigInt(limit)) }, wanted), wanted), "none");
});

check("does not concern a signal alone, which is recorded nowhere", () => {
  assert.is(effectOf(eventTooLarge, reading({ ...many, opsTopic: limited(1n) }, wanted), wanted), "none");
});

check("counts a stored offset that carries a large snapshot along, twice", () => {
  const snapshot = JSON.stringify({ v: 1, complete: false, tables: { X: "x".repeat(400_000) } });
  assert.is(offsetChange.effectOf(eventTooLarge, offsetChange.reading({ stored: { ...STORED, snapshot } })), "none");
  const twice = { ...STORED, snapshot, more: "x".repeat(200_000) };
  assert.is(offsetChange.effectOf(eventTooLarge, offsetChange.reading({ stored: twice })), "blocks");
});

check("is asked of a return to the legacy connector too: the offset that is removed stands in the event", () => {
  const on = (snapshot: string, opsTopic?: ReturnType<typeof limited>) =>
    migration.goingBack({
      next: created({
        offsets: [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: 2200000n, snapshot } }],
      }),
      ...(opsTopic === undefined ? {} : { opsTopic }),
    });
  assert.ok(CHECKS.Return.some(({ code }) => code === "OPS607"));
  const wanted = migration.intent({ phase: "rollback", accept: ["OPS607"] });
  assert.is(migration.effectOf(eventTooLarge, on("{}"), wanted), "none");
  const large = on("x".repeat(2_000_000));
  assert.is(migration.effectOf(eventTooLarge, large, wanted), "blocks");
  assert.match(migration.saidBy(eventTooLarge, large, wanted), /may have up to 2\d{6} bytes; orders\.cdc\.ops takes/);
  const bytes = BigInt(returnEventBytes(wanted, on("{}")) ?? 0);
  assert.is(migration.effectOf(eventTooLarge, on("{}", limited(bytes)), wanted), "none");
  assert.is(migration.effectOf(eventTooLarge, on("{}", limited(bytes - 1n)), wanted), "blocks");
});

check("passes for a return that removes nothing: nothing is recorded then", () => {
  const on = migration.goingBack({ next: null, opsTopic: limited(1n) });
  assert.is(migration.effectOf(eventTooLarge, on, migration.intent({ phase: "rollback" })), "none");
});

check("passes exactly up to the limit", () => {
  const bytes = BigInt(opsEventBytes(intent(), pastTheGap()) ?? 0);
  assert.is(effectOf(eventTooLarge, pastTheGap({ opsTopic: limited(bytes) })), "none");
  assert.is(effectOf(eventTooLarge, pastTheGap({ opsTopic: limited(bytes - 1n) })), "blocks");
});

check("where the limit can't be seen, warns of a large one only", () => {
  const opsTopic = limited(unseen("no right to describe"));
  assert.is(effectOf(eventTooLarge, pastTheGap({ opsTopic })), "none");
  const on = pastTheGap({ ...many, opsTopic }, wanted);
  assert.is(eventTooLarge.run(wanted, on).verdict, "unknown");
  assert.is(effectOf(eventTooLarge, on, wanted), "warns");
});

check("leaves a topic that is missing or unseen to OPS601", () => {
  for (const opsTopic of [known("missing" as const), unseen()])
    assert.is(effectOf(eventTooLarge, pastTheGap({ ...many, opsTopic }, wanted), wanted), "none");
});

check.run();
