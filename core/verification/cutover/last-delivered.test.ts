import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, Refusal } from "../../errors.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { DEBEZIUM_CLASS, LEGACY_CLASS } from "../../legacy/connector-class.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import { legacyEnd } from "./last-delivered.ts";
import { mustBePastLegacy } from "./position.ts";

const end = suite("the last delivery of the legacy connector");

const ORDERS = { container: "ORCLPDB1", owner: "SALES", name: "ORDERS" };
const DATABASE: OffsetEntry = { partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: "900" } };
const of = (table: string, cscn: string | null, catalog = "ORCLPDB1"): OffsetEntry => ({
  partition: { catalog, schema: "SALES", table },
  offset: { scn: "900", cscn },
});

interface Seen {
  readonly state?: string;
  readonly connectorClass?: string;
  readonly config?: Readonly<Record<string, string>>;
  readonly offsets: readonly OffsetEntry[] | CallFailed;
}

function connect(seen: Readonly<Record<string, Seen>>): ConnectPort {
  const answers: Partial<ConnectPort> = {
    connectors: async () => Object.keys(seen),
    connector: async (name) => ({
      name,
      config: { ...seen[name]?.config, "connector.class": seen[name]?.connectorClass ?? LEGACY_CLASS },
      taskIds: [],
      type: "source",
    }),
    status: async (name) =>
      seen[name] === undefined ? undefined : { state: seen[name].state ?? "STOPPED", worker: "w:8083", tasks: [] },
    offsets: async (name) => {
      const offsets = seen[name]?.offsets ?? [];
      if (offsets instanceof CallFailed) throw offsets;
      return offsets;
    },
  };
  return answers as ConnectPort;
}

const why = async (seen: Readonly<Record<string, Seen>>, named?: string) => {
  const found = await legacyEnd(connect(seen), named, [ORDERS]);
  return found.known ? `${found.connector} ${found.lastDelivered}` : found.why;
};

end("is the highest commit of the named one, or of the one that stores an offset of the table", async () => {
  const legacy = { offsets: [DATABASE, of("ORDERS", "950"), of("ITEMS", "970")] };
  assert.is(await why({ legacy }, "legacy"), "legacy 970");
  const others = {
    "a-sink": { connectorClass: "io.example.Sink", offsets: [of("ORDERS", "990")] },
    "b-legacy": { state: "RUNNING", offsets: [of("CUSTOMERS", "990"), of("ORDERS", "990", "ORCLPDB2")] },
  } as const;
  assert.is(await why({ ...others, legacy }), "legacy 970");
  for (const connectorClass of ["OracleCdcSource", ` ${LEGACY_CLASS}`])
    assert.is(await why({ ...others, legacy: { ...legacy, connectorClass } }), "legacy 970", connectorClass);
});

end("is that of Debezium's connector too, by its table lists where it is not named", async () => {
  const offsets = [{ partition: { server: "shop" }, offset: { scn: "900", commit_scn: "950:1:,970:2:" } }];
  const config = { "topic.prefix": "shop", "table.include.list": "SALES[.]ORDERS", "database.pdb.name": "orclpdb1" };
  const debezium = { connectorClass: DEBEZIUM_CLASS, config, offsets };
  assert.is(await why({ debezium }, "debezium"), "debezium 970");
  assert.is(await why({ debezium }), "debezium 970");
  for (const other of [{ "table.include.list": "SALES[.]LINES" }, { "database.pdb.name": "ORCLPDB2" }])
    assert.match(await why({ debezium: { ...debezium, config: { ...config, ...other } } }), /no legacy connector/);
  const unreadable = [{ partition: { server: "shop" }, offset: { scn: "900", commit_scn: "950:1" } }];
  assert.match(await why({ debezium: { ...debezium, offsets: unreadable } }), /a commit SCN that can't be read/);
});

end("is unknown for a connector that does not exist, runs, has no commit, or cannot be read", async () => {
  const offsets = [of("ORDERS", "950")];
  assert.match(await why({}), /no legacy connector/);
  assert.match(await why({}, "legacy"), /no connector legacy/);
  for (const state of ["RUNNING", "PAUSED"] as const)
    assert.match(await why({ legacy: { state, offsets } }), /legacy is not stopped/);
  const running = { state: "RUNNING", offsets: [...offsets] } as const;
  assert.match(await why({ legacy: { offsets }, other: running }), /other is not stopped/);
  assert.match(await why({ legacy: { offsets: [of("ORDERS", null)] } }), /tells of a commit/);
  assert.match(await why({ legacy: { offsets: [of("ORDERS", "many")] } }), /can't be read/);
  const refused = new CallFailed("connect", "unreachable", { message: "the worker did not answer" });
  assert.match(await why({ legacy: { offsets: refused } }), /did not answer/);
});

end("no check SCN below it can be used, while records say the SCN of their change", () => {
  const known = { known: true, connector: "legacy", lastDelivered: 970n } as const;
  for (const at of [970n, 971n]) mustBePastLegacy(at, known);
  mustBePastLegacy(1n, { known: false, why: "it is gone" });
  try {
    mustBePastLegacy(969n, known);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Refusal).code, "VER109");
    assert.instance(error, Refusal);
  }
});

end.run();
