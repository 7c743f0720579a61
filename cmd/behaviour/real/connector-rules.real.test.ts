import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { waitFor } from "../../../providers/real/wait.ts";
import { startRealWorld } from "./real-world.ts";
import { connectorSettings, DBID, type World } from "./world.ts";

const ORDERS = "ORCLPDB1.SALES.ORDERS";
const LINES = "ORCLPDB1.SALES.LINES";

/** A field that the offset does not have. */
const GONE = "<absent>";
const without = (field: string): JsonObject => ({ [field]: GONE });

type Settings = Readonly<Record<string, string>>;

/** What the stand-in plugin does with a stored offset, its signals and its journal, rule by rule, on real workers. */
for (const kafka of ["3", "4"] as const) {
  const rules = suite(`the connector's rules, on real Kafka ${kafka}`);
  let world: World;
  let count = 0;
  rules.before(async () => {
    world = await startRealWorld({ kafka });
  });
  rules.after(() => world?.stop());

  /** Starts a connector from an offset. @returns its name, once it runs or its task has failed */
  const started = async (offset: JsonObject | undefined, settings: Settings = {}): Promise<string> => {
    const connector = `rule-${++count}`;
    const config = connectorSettings(world, { "standin.step.scn": "50", "standin.released.xids": "", ...settings });
    for (const topic of ["ops", "signals"]) await world.createTopic(`${connector}.cdc.${topic}`);
    await world.createStopped(connector, config, offset);
    await world.resumeConnector(connector, "RUNNING").catch(() => world.untilState(connector, "FAILED"));
    return connector;
  };
  const trace = async (connector: string): Promise<string> =>
    (await world.status(connector))?.tasks.map((task) => task.trace).join("\n") ?? "";
  /** The stored offset, once it is as wanted. */
  const stored = (connector: string, what: string, wanted: (offset: JsonObject) => boolean): Promise<JsonObject> =>
    waitFor(what, async () => {
      const offset = await world.storedOffset(connector);
      if (offset === undefined || !wanted(offset)) throw new Error(printJson(offset ?? null, 0));
      return offset;
    });
  const past = (connector: string, scn: bigint) =>
    stored(connector, `${connector} to store ${scn}`, ({ resume_scn: at }) => (at as bigint) >= scn);
  const delivered = async (connector: string): Promise<readonly string[]> => {
    const records = await world.records(`${connector}.changes`);
    return records.map(({ value }) => {
      const json = parseJson(value ?? "null");
      const change = isObject(json) && isObject(json["payload"]) ? json["payload"] : json;
      if (!isObject(change)) throw new Error(`not a change: ${value}`);
      return `${change["xid"]} ${(change["event"] as bigint) + 1n}/${change["of"]}`;
    });
  };
  const events = async (connector: string): Promise<readonly string[]> => {
    const records = await world.records(`${connector}.cdc.ops`);
    return records.map(({ value }) => {
      const event = parseJson(value ?? "") as JsonObject;
      const { id, type, table, outcome, message, stopped } = event["details"] as JsonObject;
      return [
        event["type"] === "signal-ack" ? "" : event["type"],
        id,
        type,
        table,
        outcome,
        message,
        stopped && "stopped",
      ]
        .filter((part) => part !== undefined && part !== "")
        .join(" ");
    });
  };
  const untilEvents = (connector: string, wanted: readonly string[]) =>
    waitFor(`the events ${wanted.join("; ")}`, async () => {
      const seen = (await events(connector)).filter((event) => !event.startsWith("snapshot-chunk-done"));
      if (printJson(seen, 0) !== printJson(wanted, 0)) throw new Error(seen.join("; "));
      return true;
    });
  const signal = (connector: string, value: Json | string, key: string | null = connector) =>
    world.append(`${connector}.cdc.signals`, {
      key,
      value: typeof value === "string" ? value : printJson(value, 0),
    });
  const snapshot = (id: string, ...tables: readonly string[]) => ({ id, type: "snapshot", data: { tables } });

  // The first-start cut

  const FIRST_START = { start_floor_scn: 2_000_250n, start_open_scn: 2_000_200n, start_open_xids: "3:2.2.2,3:9.9.9" };
  const REDO: readonly JsonObject[] = [
    { xid: "3:1.1.1", start: 2_000_100n, changes: [2_000_110n], commit: 2_000_120n },
    { xid: "3:5.5.5", start: 2_000_206n, changes: [2_000_207n], commit: 2_000_220n },
    { xid: "3:3.3.3", start: 2_000_205n, changes: [2_000_210n, 2_000_255n], commit: 2_000_265n },
    { xid: "3:2.2.2", start: 2_000_130n, changes: [2_000_140n, 2_000_260n], commit: 2_000_270n },
    { xid: "3:4.4.4", start: 2_000_150n, changes: [2_000_160n, 2_000_261n], commit: 2_000_280n },
  ];
  const ALL = ["3:1.1.1 1/1", "3:5.5.5 1/1", "3:3.3.3 1/2", "3:3.3.3 2/2", "3:2.2.2 1/2", "3:2.2.2 2/2"].concat([
    "3:4.4.4 1/2",
    "3:4.4.4 2/2",
  ]);
  const redo = (transactions: Json) => ({ "standin.redo": printJson(transactions, 0) });

  rules(
    "below the first-start floor only transactions open at the start, or begun after it, are delivered",
    async () => {
      const connector = await started(offsetAt(2_000_100n, { last_commit_xid: null, ...FIRST_START }), redo(REDO));
      const after = await past(connector, 2_000_300n);
      assert.equal(
        await delivered(connector),
        ["3:3.3.3 1/2", "3:3.3.3 2/2", "3:2.2.2 1/2", "3:2.2.2 2/2", "3:4.4.4 1/1"],
        "3:4.4.4 without its part below the floor; 3:5.5.5 committed below it",
      );
      for (const field of Object.keys(FIRST_START)) assert.not.ok(field in after, field);
      assert.is(after["last_commit_xid"], "3:4.4.4");
    },
  );

  rules("without the three fields a move below the floor delivers everything from there", async () => {
    const connector = await started(offsetAt(2_000_100n, { last_commit_xid: null }), redo(REDO));
    await past(connector, 2_000_300n);
    assert.equal(await delivered(connector), ALL);
  });

  rules(
    "a first start mines from the oldest open transaction, and stores the cut with its first heartbeat",
    async () => {
      const open = [{ xid: "3:2.2.2", start: 2_000_130n, changes: [2_000_140n, 2_000_360n], commit: 2_000_370n }];
      const connector = await started(undefined, {
        ...redo([...REDO.slice(0, 1), ...open]),
        "cdc.start.scn": "2000250",
        "standin.step.scn": "0",
      });
      const first = await stored(connector, "its first heartbeat", () => true);
      assert.is(first["resume_scn"], 2_000_130n);
      assert.is(first["start_floor_scn"], 2_000_250n);
      assert.is(first["start_open_xids"], "3:2.2.2");
      assert.is(first["journal_generation"], 1n);
    },
  );

  // What was delivered

  const COMMIT = { last_commit_thread: 1n, last_commit_rs_id: redoAddress(2_000_265n), last_commit_ssn: 0n };

  rules("delivered commits are recognised by transaction, thread and address, whatever the SCN says", async () => {
    const last = { last_commit_scn: 0n, last_commit_xid: "3:3.3.3", event_index: 1n, ...COMMIT };
    const connector = await started(offsetAt(2_000_100n, last), redo(REDO));
    await past(connector, 2_000_300n);
    assert.equal(await delivered(connector), ALL.slice(3));
  });

  rules("without the last commit's fields delivered commits are delivered again", async () => {
    const { last_commit_scn: _scn, last_commit_xid: _xid, last_commit_thread: _thread, ...rest } = offsetAt(2_000_100n);
    const connector = await started({ ...rest, event_index: 0n }, redo(REDO));
    await past(connector, 2_000_300n);
    assert.equal(await delivered(connector), ALL);
  });

  rules("of a transaction that began below the resume SCN only the rest is delivered", async () => {
    const connector = await started(offsetAt(2_000_240n, { last_commit_xid: null }), redo(REDO));
    await past(connector, 2_000_300n);
    assert.equal(await delivered(connector), ["3:3.3.3 1/1", "3:2.2.2 1/1", "3:4.4.4 1/1"]);
  });

  rules("the commit of a released transaction stops the task with CDC-7001", async () => {
    const connector = await started(offsetAt(2_000_240n, { released_xids: "3:4.4.4" }), redo(REDO));
    await world.untilState(connector, "FAILED");
    assert.match(await trace(connector), /\[CDC-7001\].*3:4\.4\.4/);
  });

  rules(
    "a move keeps what the task does not mine by: a heartbeat changes nothing but position and generation",
    async () => {
      const kept = { signal_offset: 7n, someday: "kept", schema_epoch: 3n, released_xids: "3:8.8.8" };
      const connector = await started(offsetAt(2_000_100n, kept), { "standin.step.scn": "0" });
      const after = await stored(connector, "a heartbeat", (offset) => offset["journal_generation"] === 5n);
      assert.equal(after, { ...offsetAt(2_000_100n, kept), journal_generation: 5n });
    },
  );

  // What a stored offset must hold

  const CODELESS = /NullPointerException|NumberFormatException|IllegalArgumentException/;
  const REFUSED: readonly (readonly [string, JsonObject, RegExp])[] = [
    ["v missing", without("v"), /\[CDC-3002\]/],
    ["v null", { v: null }, /\[CDC-3002\]/],
    ["v 0", { v: 0n }, /\[CDC-3002\]/],
    ["v 2", { v: 2n }, /\[CDC-3002\]/],
    ["dbid missing", without("dbid"), /\[CDC-5001\]/],
    ["resetlogs_scn null", { resetlogs_scn: null }, /\[CDC-5001\]/],
    ["snapshot not JSON", { snapshot: "{" }, /\[CDC-3002\]/],
    ["snapshot without v", { snapshot: '{"complete":true}' }, /\[CDC-3002\]/],
    ["a null inside snapshot", { snapshot: `{"v":1,"tables":{"${ORDERS}":null}}` }, CODELESS],
    ["an unknown field null", { snapshot_pending: null }, CODELESS],
    ["last_commit_xid blank", { last_commit_xid: " " }, CODELESS],
    ["event_index negative", { event_index: -1n }, CODELESS],
    ["text in schema_epoch", { schema_epoch: "one" }, CODELESS],
  ];
  rules("an offset that the task does not take stops it, as the table of the reference says", async () => {
    for (const [what, fields, expected] of REFUSED) {
      const offset = Object.fromEntries(
        Object.entries({ ...offsetAt(2_000_100n), ...fields }).filter(([, is]) => is !== GONE),
      );
      const connector = await started(offset as JsonObject);
      await world.untilState(connector, "FAILED");
      assert.match(await trace(connector), expected, what);
    }
  });

  // Signals and snapshots

  const SIGNALLED = { "standin.ack": "ok", "standin.step.scn": "0" };

  rules("signals are handled in order, keyed by name or prefix, and the last handled one is stored", async () => {
    const connector = await started(offsetAt(2_000_100n), SIGNALLED);
    await signal(connector, snapshot("foreign", ORDERS), "another");
    await signal(connector, snapshot("nobody", ORDERS), null);
    await signal(connector, "{");
    await signal(connector, { id: "typeless" });
    await signal(connector, { id: "odd", type: "execute" });
    await signal(connector, { id: "none", type: "snapshot-stop" });
    await signal(connector, snapshot("not", "ORCLPDB1.HR.JOBS"));
    await signal(connector, snapshot("some", ORDERS.toLowerCase(), "ORCLPDB1.HR.JOBS"), connector);
    await signal(connector, { id: "state", type: "log-state" });
    await signal(connector, { id: "patterns", type: "refresh-tables" });
    // Nothing after it moves the position on.
    await signal(connector, snapshot("foreign too", ORDERS), "another");
    await stored(connector, "all to be handled", (offset) => offset["signal_offset"] === 10n);
    await waitFor("the answers", async () => (await events(connector)).some((event) => event.startsWith("patterns")));
    const answers = (await events(connector)).filter((event) => !event.startsWith("snapshot-"));
    assert.equal(answers, [
      "invalid the signal is not a JSON object with a type",
      "invalid the signal is not a JSON object with a type",
      "odd execute unknown unknown signal type execute",
      "none snapshot-stop rejected no snapshot is running",
      "not snapshot rejected none of [ORCLPDB1.HR.JOBS] is a captured table",
      "some snapshot ok not captured, skipped: [ORCLPDB1.HR.JOBS]",
      "state log-state ok",
      "patterns refresh-tables ok",
    ]);
  });

  rules("signals are read from the one after signal_offset on, and old ones run again without it", async () => {
    const settings = { ...SIGNALLED, "cdc.signals.topic": "old-signals" };
    await world.createTopic("old-signals");
    const key = "prefix-of-two";
    for (const id of ["first", "second"])
      await world.append("old-signals", { key, value: printJson(snapshot(id, ORDERS), 0) });
    const initial = { ...settings, "cdc.topic.prefix": key };
    await world.createTopic(`${key}.cdc.ops`);
    const from = async (fields: JsonObject, wanted: readonly string[]) => {
      const before = (await events(key)).length;
      const connector = `reader-${++count}`;
      await world.createStopped(connector, connectorSettings(world, initial), offsetAt(2_000_100n, fields));
      await world.resumeConnector(connector);
      await stored2(connector, key, 1n);
      const acks = (await events(key)).slice(before).filter((event) => !event.startsWith("snapshot-"));
      assert.equal(
        acks.map((ack) => ack.split(" ", 1)[0]),
        wanted,
      );
      await world.stopConnector(connector);
    };
    await from({ signal_offset: 0n }, ["second"]);
    await from({}, ["first", "second"]);
  });
  const stored2 = (connector: string, prefix: string, offset: bigint) =>
    waitFor("the signals to be handled", async () => {
      const seen = await world.storedOffset(connector, { prefix });
      return seen?.["signal_offset"] === offset;
    });

  rules("only partition 0 of the signals topic is read", async () => {
    await world.createTopic("three.cdc.signals", 3);
    await world.createTopic("three.cdc.ops");
    await world.createStopped("three", connectorSettings(world, SIGNALLED), offsetAt(2_000_100n));
    for (const partition of [2, 1, 0])
      await world.append("three.cdc.signals", {
        key: "three",
        value: printJson(snapshot(`in-${partition}`, ORDERS), 0),
        partition,
      });
    await world.resumeConnector("three");
    await untilEvents("three", ["in-0 snapshot ok", `snapshot-complete ${ORDERS}`, "snapshot-complete *"]);
  });

  rules("a snapshot while another runs is rejected and not queued; after a stop the next one starts", async () => {
    const connector = await started(offsetAt(2_000_100n), { ...SIGNALLED, "standin.snapshot.polls": "100000" });
    await signal(connector, snapshot("one", ORDERS, LINES));
    await signal(connector, snapshot("two", LINES));
    await signal(connector, { id: "three", type: "snapshot-pause" });
    await signal(connector, { id: "four", type: "snapshot-resume" });
    await signal(connector, { id: "five", type: "snapshot-stop" });
    await signal(connector, snapshot("six", LINES));
    await untilEvents(connector, [
      "one snapshot ok",
      "two snapshot rejected a snapshot is running",
      "three snapshot-pause ok",
      "four snapshot-resume ok",
      "snapshot-complete * stopped",
      "five snapshot-stop ok",
      "six snapshot ok",
    ]);
    const progress = await stored(connector, "the snapshot to be stored", ({ snapshot: text }) =>
      String(text).includes('"complete":false'),
    );
    assert.match(String(progress["snapshot"]), '"scope":["ORCLPDB1.SALES.LINES"]');
  });

  rules("at the start an unfinished snapshot, then a pending one, is resumed before signals are read", async () => {
    const unfinished = {
      v: 1n,
      complete: false,
      tables: { [ORDERS]: { done: true, frontier: [] }, [LINES]: { done: false, frontier: [] } },
      scope: [ORDERS, LINES],
    };
    const offset = offsetAt(2_000_100n, { snapshot: printJson(unfinished, 0), snapshot_pending: "ORCLPDB1.SALES.NEW" });
    const name = `rule-${count + 1}`;
    await world.createTopic(`${name}.cdc.signals`);
    await signal(name, snapshot("early", ORDERS));
    const connector = await started(offset, { ...SIGNALLED, "standin.snapshot.polls": "40" });
    assert.is(connector, name);
    await untilEvents(connector, [
      "early snapshot rejected a snapshot is running",
      `snapshot-complete ${LINES}`,
      "snapshot-complete *",
      "snapshot-complete ORCLPDB1.SALES.NEW",
      "snapshot-complete *",
    ]);
    assert.ok((await events(connector)).includes(`snapshot-chunk-done ${LINES}`));
    await stored(
      connector,
      "both to be over, and nothing to be pending",
      (one) => !("snapshot_pending" in one) && String(one["snapshot"]).includes('"complete":true'),
    );
  });

  rules("a connector that only takes snapshots reads no signals", async () => {
    const connector = await started(offsetAt(2_000_100n), { ...SIGNALLED, "cdc.snapshot.mode": "snapshot_only" });
    await signal(connector, snapshot("unread", ORDERS));
    await stored(connector, "a heartbeat", (offset) => offset["journal_generation"] === 5n);
    const before = (await world.records(`${connector}.cdc.heartbeat`)).length;
    await waitFor("heartbeats for longer than signals are read", async () => {
      return (await world.records(`${connector}.cdc.heartbeat`)).length > before + 15;
    });
    assert.equal(await events(connector), []);
    assert.not.ok("signal_offset" in ((await world.storedOffset(connector)) ?? {}));
  });

  // Journal and generations

  const journal = (
    connector: string,
    generation: bigint,
    xid = "7.7.7",
    scns: readonly [bigint, bigint] = [2_000_050n, 2_000_090n],
  ) =>
    world.append(`${connector}.cdc.txjournal`, {
      key: printJson({ server: connector, con_id: 3, xid, chunk: 0, generation }, 0),
      value: printJson(
        {
          v: 1,
          events: 2,
          undos: 0,
          first_scn: scns[0],
          last_scn: scns[1],
          first_ssn: 0,
          last_ssn: 0,
          thread: 1,
          payload: "",
        },
        0,
      ),
    });
  const journaled = async (generation: bigint, offset: JsonObject | undefined, settings: Settings) => {
    const connector = `rule-${count + 1}`;
    await world.createTopic(`${connector}.cdc.txjournal`);
    await journal(connector, generation);
    return started(offset, settings);
  };
  /** It goes on past the target, after what was skipped. */
  const LONG = [
    { xid: "3:7.7.7", start: 2_000_040n, changes: [2_000_050n, 2_000_090n, 2_000_190n], commit: 2_000_200n },
  ];

  rules("a restored transaction holds the resume point until it ends, so that a forward move is undone", async () => {
    const connector = await journaled(5n, offsetAt(2_000_100n), { ...redo([]), "standin.step.scn": "1" });
    const held = await stored(connector, "a commit", (offset) => offset["last_commit_scn"] !== 2_000_000n);
    assert.is(held["resume_scn"], 2_000_090n, "generation stored + 1 is the task's own");
    assert.is(held["journal_generation"], 5n);
  });

  rules("a chunk of a later generation than stored + 1 is not restored", async () => {
    const connector = await journaled(6n, offsetAt(2_000_100n), { "standin.step.scn": "50" });
    await past(connector, 2_000_300n);
  });

  rules("with its end a restored transaction is delivered whole, and lets the resume point go", async () => {
    const connector = await journaled(4n, offsetAt(2_000_100n), redo(LONG));
    await past(connector, 2_000_300n);
    assert.equal(await delivered(connector), ["3:7.7.7 1/3", "3:7.7.7 2/3", "3:7.7.7 3/3"]);
  });

  rules("of a restored transaction that committed in the skipped span nothing is delivered", async () => {
    const connector = await journaled(
      4n,
      offsetAt(2_000_300n),
      redo([...LONG, { ...REDO[0], xid: "3:6.6.6", start: 2_000_320n, changes: [2_000_330n], commit: 2_000_340n }]),
    );
    const held = await stored(connector, "the later commit", (offset) => offset["last_commit_xid"] === "3:6.6.6");
    assert.equal(await delivered(connector), ["3:6.6.6 1/1"]);
    assert.is(held["resume_scn"], 2_000_090n, "it holds the resume point");
  });

  rules("without a stored offset the journal is read with the initial position and generation 1", async () => {
    const settings = { "cdc.start.scn": "2000100", "standin.step.scn": "50" };
    const own = await journaled(1n, undefined, settings);
    await stored(
      own,
      "a commit",
      (offset) => offset["last_commit_xid"] !== null && offset["resume_scn"] === 2_000_090n,
    );
    const stale = await journaled(2n, undefined, settings);
    await past(stale, 2_000_300n);
  });

  rules("a missing chunk stops the task with CDC-4002", async () => {
    const connector = `rule-${count + 1}`;
    await world.createTopic(`${connector}.cdc.txjournal`);
    await world.append(`${connector}.cdc.txjournal`, {
      key: printJson({ server: connector, con_id: 3, xid: "7.7.7", chunk: 1, generation: 4n }, 0),
      value: printJson({ v: 1, events: 1, first_scn: 2_000_050n, last_scn: 2_000_050n }, 0),
    });
    await started(offsetAt(2_000_100n));
    await world.untilState(connector, "FAILED");
    assert.match(await trace(connector), /\[CDC-4002\]/);
  });

  rules.run();
}

/** An offset of a connector that has delivered up to 2,000,000. */
function offsetAt(scn: bigint, more: JsonObject = {}): JsonObject {
  return {
    v: 1n,
    resume_scn: scn,
    last_commit_scn: 2_000_000n,
    last_commit_xid: "3:1.2.3",
    last_commit_thread: 1n,
    event_index: 1n,
    journal_generation: 4n,
    schema_epoch: 0n,
    dbid: DBID,
    resetlogs_scn: 1n,
    released_xids: null,
    ...more,
  };
}

function redoAddress(scn: bigint): string {
  return `0x000000.${scn.toString(16).padStart(8, "0")}.0010`;
}
