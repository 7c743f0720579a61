import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { KeyRange, TableJob, TableRead } from "../../../schemas/generated/verification-job.ts";

import type { KafkaPort, KafkaRecord } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { canonicalJson } from "../../values/json.ts";
import type { PlannedTable } from "../cutover/plan-table.ts";
import { inputsOf as debeziumInputs, worlds } from "../debezium/testing/world.ts";

import type { TableInputs } from "../engine/inputs.ts";
import { verifyTable } from "../engine/verify-table.ts";
import { memorySpool } from "../testing/memory-spool.ts";
import { CHECK, inputsOf, type Scene, type SceneRecord } from "../testing/scene.ts";
import { scenes } from "../testing/scenes.ts";
import { work } from "../testing/work.ts";
import { addedUp } from "./add-up.ts";
import { FRAME, type Frame, textFrame } from "./frames.ts";
import { inputsOfTable, type Job, jobOf, printJob, readJob, readResult, unitsOf } from "./job.ts";
import { printSealed } from "./wire.ts";
import { serveFrames, type WorkerWorld } from "./worker.ts";

const workers = suite("findings of workers");

/** How a job is divided: far more finely than in practice. */
interface Way {
  readonly ranges: number;
  readonly recordsAUnit: number;
  readonly slots: number;
  readonly join: number;
  readonly segment: number;
}

function jobFor(all: readonly TableInputs[], { ranges, recordsAUnit, slots, join, segment }: Way): Job {
  const topic = ({ topic: name, partitions, isOfTable: _, ...rest }: TableInputs["newTopic"], at: number) => ({
    ...rest,
    topic: `${name}-${at}`,
    extents: partitions.map(({ partition, from, to }) => ({ partition, from, to })),
    membership: undefined,
  });
  const tables = all.map((inputs, at): PlannedTable => {
    const tableJob: TableJob = {
      table: inputs.table,
      shape: inputs.shape,
      checkScn: inputs.checkScn,
      startScn: inputs.startScn,
      rows: {
        read: { table: { container: "P", owner: "SALES", name: `T${at}` }, columns: [], key: [], scn: inputs.checkScn },
        ranges: Array.from({ length: ranges }, (_, range) => ({ after: undefined, upTo: [String(range)] })),
        each: undefined,
        batch: 3,
      },
      newTopic: topic(inputs.newTopic, at),
      legacyTopic: inputs.legacyTopic && topic(inputs.legacyTopic, at),
    };
    return {
      table: inputs.table,
      newTopic: "new",
      legacyTopic: inputs.legacyTopic && "legacy",
      shape: inputs.shape,
      leftOut: [],
      remarks: [],
      closing: [],
      otherDefaults: {},
      newTopicIsShared: true,
      legacyConfigIsKnown: true,
      job: tableJob,
      notRead: undefined,
    };
  });
  const job = jobOf(
    {
      cdcctl: "0.1.0",
      context: "prod",
      connector: "orders-cdc",
      clusterId: "cluster",
      inputs: { brokers: "b:1", database: "d:1/S", dbid: "1", resetlogsScn: "1", showValues: true },
      position: { checkScn: CHECK, resumeScn: CHECK + 1n },
      databaseSessions: 4,
      tables,
      memory: 2 ** 28,
    },
    work,
  );
  const units = job.tables.flatMap((planned, table) =>
    unitsOf(planned.job as TableJob, inputsOfTable(planned) as TableInputs, work, recordsAUnit).map(
      ({ name, side }) => ({
        ...{ unit: `${table}:${name}`, table, side },
      }),
    ),
  );
  const divided = {
    ...job,
    ...{ recordsAUnit, join, segment, units },
    slots: slots * all.length,
    tables: job.tables.map((table, at) => ({ ...table, slots, firstSlot: slots * at })),
  };
  return readJob(printJob(divided), "job.json");
}

/** Use of files, as far as a test checks it. */
interface Spilled {
  files: number;
  open: number;
}

const worldOf = (all: readonly Scene[], ranges: number, spilled: Spilled): WorkerWorld =>
  worldWith(
    all.map((scene) => inputsOf(scene, { ranges, batch: 50 })),
    ranges,
    spilled,
  );

function worldWith(cut: readonly TableInputs[], ranges: number, spilled: Spilled): WorkerWorld {
  // The topics of a table are named by its number.
  const topicOf = (topic: string) => {
    const [name, table] = topic.split("-");
    return name === "legacy" ? cut[Number(table)]?.legacyTopic : cut[Number(table)]?.newTopic;
  };
  const kafka = {
    brokers: "b:1",
    clusterId: async () => "cluster",
    recordsInPlace: (topic, { partition, from, to }) =>
      topicOf(topic)?.partitions[partition]?.read(from, to) as AsyncIterable<readonly KafkaRecord[]>,
  } as Partial<KafkaPort> as KafkaPort;
  const oracle = {
    address: "d:1/S",
    database: async () => ({ dbid: 1n, resetlogsScn: 1n }),
    rowsAsOf: ({ table }: TableRead, range: KeyRange | undefined) =>
      cut[Number(table.name.slice(1))]?.rows.read(`range ${range?.upTo?.[0]} of ${ranges}`),
    close: async () => undefined,
  } as unknown as OraclePort;
  return {
    cdcctl: "0.1.0",
    kafka: async () => kafka,
    oracle: async () => oracle,
    async spill() {
      spilled.files += 1;
      spilled.open += 1;
      const { create, goOn, holds, read } = memorySpool();
      return {
        ...{ create, goOn, holds, read },
        close: async () => {
          spilled.open -= 1;
        },
      };
    },
    work,
    memory: () => 1,
    redact: (text) => text,
  };
}

/** Drives one worker through a job. */
async function driven(job: Job, world: WorkerWorld) {
  const lines: string[] = [];
  const bySlot = new Map<number, Frame[]>();
  const text = ({ payload }: Frame) => new TextDecoder().decode(payload);
  const ask = async (request: object, more: readonly Frame[] = []): Promise<readonly Frame[]> => {
    const sent: Frame[] = [];
    const takesMore = "table" in request || "slot" in request;
    const frames = (async function* () {
      yield textFrame(FRAME.request, 0, JSON.stringify(request));
      yield* more;
      if (takesMore) yield textFrame(FRAME.end, 0, "");
    })();
    // A sent buffer may be reused at once, as with a pipe.
    await serveFrames(
      job,
      frames,
      async (frame) => void sent.push({ ...frame, payload: frame.payload.slice() }),
      world,
    );
    const [hello, ...answer] = sent;
    assert.is(hello?.kind, FRAME.hello);
    const last = answer.at(-1);
    if (last === undefined || last.kind === FRAME.error) throw new Error(last && text(last));
    return answer;
  };
  for (const { unit } of job.units) {
    const frames = [...(await ask({ is: "read", unit }))];
    lines.push(text(frames.pop() as Frame));
    for (const frame of frames) bySlot.set(frame.slot, [...(bySlot.get(frame.slot) ?? []), frame]);
  }
  for (const [at, { slots, firstSlot }] of job.tables.entries()) {
    const own = lines.filter((line) => line.includes(`"name":"${at}:`));
    const results = own.map((line) => textFrame(FRAME.result, 0, line));
    const [rules] = await ask({ is: "gather", table: at }, results);
    for (let slot = firstSlot; slot < firstSlot + slots; slot++) {
      const [result] = await ask({ is: "join", slot }, [rules as Frame, ...(bySlot.get(slot) ?? [])]);
      lines.push(text(result as Frame));
    }
  }
  return addedUp(
    job,
    lines.map((line, at) => {
      const read = readResult(at % 2 === 0 ? line : ofEarlierVersion(line));
      if (!read.sound) throw new Error(read.problem);
      return read.value;
    }),
  );
}

/** The same result with the names that members had in earlier versions. */
function ofEarlierVersion(line: string): string {
  const { digest: _, ...content } = JSON.parse(line.replaceAll('"tableUnknown":', '"unsaid":'));
  return printSealed(content);
}

async function local(inputs: TableInputs) {
  return verifyTable(inputs, memorySpool(), {
    work,
    clock: { elapsed: () => 0 },
    memory: 2 ** 28,
    ranges: 2,
    partitions: 2,
    first: 100,
    disk: { place: "memory", free: undefined },
  });
}

/** All of it as text: a document leaves out what is undefined. */
function flat(found: unknown): string {
  const plain = (_: string, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  return canonicalJson(JSON.parse(JSON.stringify(found, plain)));
}

const WRITE_MODES = fc.record({
  ranges: fc.integer({ min: 1, max: 5 }),
  recordsAUnit: fc.integer({ min: 1, max: 40 }),
  slots: fc.constantFrom(16, 64),
  join: fc.constantFrom(2_000, 8_000, 2 ** 24),
  segment: fc.constantFrom(100, 2 ** 20),
});

workers("are those of one process, for any tables and topics, however they are divided", async () => {
  const spilled = { files: 0, open: 0 };
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(scenes, { minLength: 1, maxLength: 3 }), WRITE_MODES, async (all, way) => {
      const inputs = all.map((scene) => inputsOf(scene));
      const { tables } = await driven(jobFor(inputs, way), worldOf(all, way.ranges, spilled));
      assert.is(tables.length, all.length);
      for (const [at, scene] of all.entries()) {
        assert.is(flat(tables[at]?.found), flat(await local(inputs[at] as TableInputs)));
        const kind = scene.withoutKey ? "counted" : "by key";
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }),
    { numRuns: 40 },
  );
  assert.ok((seen.get("counted") ?? 0) > 10 && (seen.get("by key") ?? 0) > 10);
  assert.is(spilled.open, 0);
});

workers("are those of one process for topics that both connectors write to", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, WRITE_MODES, async (world, way) => {
      const inputs = debeziumInputs(world, "keep");
      const cut = { ...way, ranges: 1 };
      const { tables } = await driven(jobFor([inputs], cut), worldWith([inputs], 1, { files: 0, open: 0 }));
      assert.is(flat(tables[0]?.found), flat(await local(inputs)));
    }),
    { numRuns: 30 },
  );
});

workers("a slot is joined in parts from files if one key has more tuples than the memory holds", async () => {
  const spilled = { files: 0, open: 0 };
  const updates = Array.from(
    { length: 5_000 },
    (_, at): SceneRecord => ({ op: "u", row: [7, `v${at}`], scn: 1 + (at % 90) }),
  );
  const scene: Scene = {
    rows: [
      [7, "v4999"],
      [8, "b"],
    ],
    records: [...updates, { op: "u", row: [7, "v4999"], scn: 95 }, { op: "c", row: [8, "stale"] }],
  };
  const inputs = inputsOf(scene, { batch: 500 });
  const way = { ranges: 1, recordsAUnit: 1_000, slots: 16, join: 16_384, segment: 4_096 };
  const { tables, units } = await driven(jobFor([inputs], way), worldOf([scene], 1, spilled));
  assert.is(flat(tables[0]?.found), flat(await local(inputs)));
  assert.is(units, 7);
  assert.ok(spilled.files > 0);
  assert.is(spilled.open, 0);
});

workers.run();
