// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  cutover,
  effectOf,
  goingBack,
  intent,
  resultOf,
  verdictOf,
} from "../kinds/migration/testing/build-readings.ts";
import {
  CUTOVER,
  dictionary,
  LEGACY_CONFIG,
  LEGACY_OFFSETS,
  legacy,
  NEW_TOPICS,
  other,
  settings,
  table,
  UNTOLD_TOPICS,
} from "../kinds/migration/testing/story.ts";
import { known, RUNNING, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { legacyWrites } from "../legacy/confluent/topics.ts";
import { table as stored } from "../legacy/testing/build-legacy.ts";
import {
  legacyOffsetsChanged,
  legacyStartsAtCurrent,
  newTopicsUnclear,
  noRollbackWithoutAGap,
} from "./cutover-rollback.ts";

const MIG118 = suite("MIG118 a cutover that cannot be rolled back");

MIG118("passes for a legacy connector that starts from its stored offsets", () => {
  assert.is(effectOf(noRollbackWithoutAGap, cutover()), "none");
  assert.is(effectOf(noRollbackWithoutAGap, cutover({ properties: { "start.from": "snapshot" } })), "none");
});

MIG118("warns of force_current", () => {
  const on = cutover({ properties: { "start.from": "force_current" } });
  assert.is(effectOf(noRollbackWithoutAGap, on), "warns");
  assert.match(resultOf(noRollbackWithoutAGap, on), /a rollback is refused \(MIG307\)/);
});

const MIG303 = suite("MIG303 offsets that were changed since the cutover");

const moved = [
  { ...LEGACY_OFFSETS[0], offset: { scn: "2169288" } },
  ...LEGACY_OFFSETS.slice(1),
] as typeof LEGACY_OFFSETS;

MIG303("passes where they are those of the cutover's journal, in any order", () => {
  assert.is(effectOf(legacyOffsetsChanged, goingBack()), "none");
  assert.is(effectOf(legacyOffsetsChanged, goingBack({ legacy: { offsets: [...LEGACY_OFFSETS].reverse() } })), "none");
});

MIG303("blocks where one was moved, removed or added, until it is accepted", () => {
  for (const offsets of [moved, LEGACY_OFFSETS.slice(1), [...LEGACY_OFFSETS, stored("NEW", 2175000n)]]) {
    const on = goingBack({ legacy: { offsets } });
    assert.is(verdictOf(legacyOffsetsChanged, on), "fail");
    assert.is(effectOf(legacyOffsetsChanged, on), "blocks");
    assert.is(effectOf(legacyOffsetsChanged, on, intent({ accept: ["MIG303"] })), "accepted");
    assert.match(resultOf(legacyOffsetsChanged, on), CUTOVER.run);
  }
});

MIG303("warns where no local journal has them, or none is readable", () => {
  for (const cutover of [known(undefined), unseen()]) {
    assert.is(verdictOf(legacyOffsetsChanged, goingBack({ cutover })), "unknown");
    assert.is(effectOf(legacyOffsetsChanged, goingBack({ cutover })), "warns");
  }
  const none = goingBack({ cutover: known(undefined) });
  assert.match(resultOf(legacyOffsetsChanged, none), "this machine has no journal of the cutover");
  const unread = goingBack({ cutover: unseen() });
  assert.match(resultOf(legacyOffsetsChanged, unread), /^the offsets with which orders-legacy stopped are unknown: /);
});

MIG303("is unknown for a connector that runs again: its offsets advance", () => {
  const on = goingBack({ legacy: { offsets: moved, status: RUNNING } });
  assert.is(effectOf(legacyOffsetsChanged, on), "warns");
  assert.match(resultOf(legacyOffsetsChanged, on), "orders-legacy is RUNNING, and its offsets have moved");
});

const MIG306 = suite("MIG306 topics that would be deleted with the new connector");

const deleting = intent({ phase: "rollback", deleteTopics: true, accept: ["MIG306"] });

MIG306("passes where none is to be deleted, whatever is unknown", () => {
  assert.is(
    effectOf(newTopicsUnclear, goingBack({ topics: unseen(), dictionary: unseen(), others: unseen() })),
    "none",
  );
});

MIG306("passes where they are the new connector's only", () => {
  assert.is(effectOf(newTopicsUnclear, goingBack({}, deleting), deleting), "none");
});

MIG306("refuses while topics, tables, their topics' names or other connectors are unknown", () => {
  for (const parts of [
    { topics: unseen() },
    { dictionary: unseen() },
    { others: unseen() },
    { settings: UNTOLD_TOPICS },
  ]) {
    assert.is(verdictOf(newTopicsUnclear, goingBack(parts, deleting), deleting), "unknown");
    assert.is(effectOf(newTopicsUnclear, goingBack(parts, deleting), deleting), "blocks");
  }
});

MIG306("refuses where a transformation may let the legacy connector write to them too", () => {
  const config = { ...LEGACY_CONFIG, transforms: "route", "transforms.route.type": "com.example.Router" };
  const on = goingBack({ legacy: legacy({ config }) }, deleting);
  assert.is(effectOf(newTopicsUnclear, on, deleting), "blocks");
  assert.match(resultOf(newTopicsUnclear, on, deleting), "records of orders-legacy go through route");
});

MIG306("refuses where another connector uses the prefix, or may use it", () => {
  for (const prefix of ["orders", `$${"{env:PREFIX}"}`]) {
    const on = goingBack({ others: known([other("twin", { prefix })]) }, deleting);
    assert.is(effectOf(newTopicsUnclear, on, deleting), "blocks");
    assert.match(resultOf(newTopicsUnclear, on, deleting), /^twin may also write to them: its cdc\.topic\.prefix/);
  }
  const two = goingBack({ others: known(["a", "b"].map((name) => other(name, { prefix: "orders" }))) }, deleting);
  assert.match(resultOf(newTopicsUnclear, two, deleting), /^a and b may also write to them: their cdc\.topic\.prefix/);
});

MIG306("refuses where another legacy connector may write to one of them", () => {
  const writes = legacyWrites("twin", {
    ...LEGACY_CONFIG,
    "table.topic.name.template": "orders.${fullyQualifiedTableName}",
  });
  const on = goingBack({ others: known([other("twin", { writes })]) }, deleting);
  assert.is(effectOf(newTopicsUnclear, on, deleting), "blocks");
  assert.match(resultOf(newTopicsUnclear, on, deleting), /^twin may also write to one of them, judged by the se/);
});

MIG306("refuses where another legacy connector's name of a topic is one of them only as Kafka has it", () => {
  const writes = legacyWrites("twin", {
    ...LEGACY_CONFIG,
    "oracle.pdb.name": "orclpdb1",
    "table.inclusion.regex": "ORCLPDB1[.]C##SALES[.](ORDERS|RETURNS)",
    "table.topic.name.template": "orders.${fullyQualifiedTableName}",
  });
  const twin = (there: string) =>
    goingBack(
      {
        others: known([other("twin", { writes })]),
        topics: known([there]),
        dictionary: known(dictionary(table("ORDERS", "C##SALES"), table("LINES", "C##SALES"))),
        settings: { tables: { ...settings().tables, include: "ORCLPDB1[.]C##SALES[.].*" } },
      },
      deleting,
    );
  assert.is(effectOf(newTopicsUnclear, twin("orders.ORCLPDB1.C__SALES.ORDERS"), deleting), "blocks");
  assert.is(effectOf(newTopicsUnclear, twin("orders.ORCLPDB1.C__SALES.LINES"), deleting), "none");
});

MIG306("refuses where the prefix of one begins with the other's", () => {
  for (const [prefix, there] of [
    ["orders.cdc", "orders.cdc.signals"],
    ["orders.ORCLPDB1", NEW_TOPICS[0]],
  ] as const) {
    const parts = { others: known([other("twin", { prefix })]), topics: known([there]) };
    const on = goingBack(parts, deleting);
    assert.is(effectOf(newTopicsUnclear, on, deleting), "blocks");
    assert.match(
      resultOf(newTopicsUnclear, on, deleting),
      /^twin may also write to one of them, judged by the settings/,
    );
  }
});

MIG306("refuses where another new connector names one of them, or may route its records there", () => {
  for (const parts of [{ templates: ["orders.cdc.signals"] }, { reroutings: ["route"] }]) {
    const others = known([other("twin", { prefix: "x", ...parts })]);
    const on = goingBack({ others, topics: known(["orders.cdc.signals"]) }, deleting);
    assert.is(effectOf(newTopicsUnclear, on, deleting), "blocks");
  }
});

MIG306("names only the connectors that use the prefix", () => {
  const others = known([
    other("a", { prefix: " orders " }),
    other("b", { prefix: "orders" }),
    other("c", { prefix: "x" }),
  ]);
  assert.match(
    resultOf(newTopicsUnclear, goingBack({ others }, deleting), deleting),
    "a and b may also write to them: their cdc.topic.prefix is orders, or a reference",
  );
  const own = known([other("c", { prefix: "x" })]);
  assert.is(effectOf(newTopicsUnclear, goingBack({ others: own }, deleting), deleting), "none");
});

const MIG307 = suite("MIG307 a legacy connector that would start at the current SCN");

const from = (value: string) => goingBack({ legacy: { config: { ...LEGACY_CONFIG, "start.from": value } } });

MIG307("passes for every other start: with stored offsets it is not used", () => {
  for (const value of ["snapshot", "current", "2169287", ""])
    assert.is(effectOf(legacyStartsAtCurrent, from(value)), "none");
  assert.is(effectOf(legacyStartsAtCurrent, goingBack()), "none");
});

MIG307("refuses force_current, whatever is accepted", () => {
  for (const value of ["force_current", " FORCE_CURRENT "]) {
    assert.is(effectOf(legacyStartsAtCurrent, from(value), intent({ accept: ["MIG307"] })), "blocks");
    assert.match(resultOf(legacyStartsAtCurrent, from(value)), /would skip what was committed since it stopped/);
  }
});

MIG118.run();
MIG303.run();
MIG306.run();
MIG307.run();
