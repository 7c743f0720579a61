import type { JobTable } from "../../../schemas/generated/verification-job.ts";
import type { Verdict } from "../../../schemas/generated/verification-result.ts";
import { CallFailed, Refusal, UsageError } from "../../errors.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import { viewOf } from "../../values/bytes.ts";
import { canonicalJson, isObject, type JsonObject, parseJson } from "../../values/json.ts";
import { type Advice, lineOf } from "../../values/remedy.ts";
import type { ByteWork } from "../byte-work.ts";
import { inputsOf } from "../cutover/table-job.ts";
import { GONE_MEANWHILE } from "../cutover/verify-cutover.ts";
import { emptyVerdict, joined, joinInParts } from "../engine/join-partitions.ts";
import { NOTHING_DONE } from "../engine/manifest.ts";
import { runUnit, type Unit } from "../engine/units.ts";
import { OUT_OF_REACH, rulesOf } from "../engine/verify-table.ts";
import { NAMED_KEYS } from "../evidence/evidence.ts";
import { Scratch } from "../scratch.ts";
import { NO_TRUNCATES, type Side } from "../tuple.ts";
import type { KeyFinding } from "../verdict.ts";
import { NOTHING_READ } from "../verdict.ts";
import { gatheredRules } from "./add-up.ts";
import { endedBadly, FRAME, type Frame, textFrame } from "./frames.ts";
import { type Gathered, gathering, type Spill } from "./gathering.ts";
import {
  type CheckedPorts,
  checkedPorts,
  inputsOfTable,
  type Job,
  type JobResult,
  mayPass,
  printResult,
  readResult,
  tableOfSlot,
  unitsOf,
} from "./job.ts";

export interface WorkerWorld {
  readonly cdcctl: string;
  /** Ports of the worker's own context; they connect on first use. */
  kafka(): Promise<KafkaPort>;
  oracle(): Promise<OraclePort>;
  /** Files for tuples that do not fit into memory; removed when closed, or when the process ends. */
  spill(): Promise<Spill>;
  readonly work: ByteWork;
  /** Peak memory of the process so far, in bytes. */
  memory(): number;
  redact(text: string): string;
}

type Request =
  | { readonly is: "check" }
  | { readonly is: "read"; readonly unit: string; readonly attempt: number }
  | { readonly is: "gather"; readonly table: number }
  | { readonly is: "join"; readonly slot: number; readonly attempt: number };

type Send = (frame: Frame) => Promise<void>;

/**
 * Carries out a driver's requests in sequence until there are no more (`frames.ts`). Any failure is sent as an answer.
 * A login that was rejected is not tried again.
 *
 * @throws CallFailed for frames that are not requests, or that end within one; whatever `send` throws
 */
export async function serveFrames(
  job: Job,
  frames: AsyncIterable<Frame>,
  send: Send,
  world: WorkerWorld,
): Promise<void> {
  const { protocol, engine, digest } = job;
  await send(textFrame(FRAME.hello, 0, canonicalJson({ protocol, engine, cdcctl: world.cdcctl, job: digest })));
  const ports = checkedPorts(job, world);
  const units = openUnits(job, ports, world.work);
  const waiting = frames[Symbol.asyncIterator]();
  for (let next = await waiting.next(); next.done !== true; next = await waiting.next()) {
    const request = requestIn(next.value);
    // Everything that belongs to a request is read before it is answered, so that the next frame is the next request.
    const takesMore = request.is === "gather" || request.is === "join";
    const gathered = takesMore ? await gathering(waiting, job.join, world.spill) : undefined;
    let answer: Frame;
    try {
      if (gathered?.failed !== undefined) throw gathered.failed.error;
      answer = await answerTo(request, gathered, job, { ports, units }, send, world);
    } catch (error) {
      if (error instanceof NotSent) throw error.cause;
      answer = textFrame(FRAME.error, 0, canonicalJson(failureOf(error, world.redact)));
    } finally {
      await gathered?.close();
    }
    await send(answer);
  }
}

function requestIn({ kind, payload }: Frame): Request {
  const json = kind === FRAME.request ? parseJson(new TextDecoder().decode(payload)) : undefined;
  if (!isObject(json)) throw endedBadly(`sent a frame of kind ${kind} instead of a request`);
  const attempt = Number(json["attempt"] ?? 0n);
  switch (json["is"]) {
    case "check":
      return { is: "check" };
    case "gather":
      return { is: "gather", table: Number(json["table"]) };
    case "read":
      return { is: "read", unit: String(json["unit"]), attempt };
    case "join":
      return { is: "join", slot: Number(json["slot"]), attempt };
    default:
      throw endedBadly("sent a request that this worker does not know");
  }
}

async function answerTo(
  request: Request,
  gathered: Gathered | undefined,
  job: Job,
  { ports, units }: { readonly ports: CheckedPorts; readonly units: OpenUnits },
  send: Send,
  world: WorkerWorld,
): Promise<Frame> {
  const result = (kind: number, slot: number, content: Omit<JobResult, "job" | "memory">): Frame =>
    textFrame(kind, slot, printResult({ job: job.digest, memory: world.memory(), ...content }));
  switch (request.is) {
    case "check": {
      await Promise.all([ports.kafka(), ports.oracle()]);
      return textFrame(FRAME.ready, 0, "{}");
    }
    case "read": {
      const unit = await readUnit(request.unit, job, units, send);
      return result(FRAME.result, job.slots, { attempt: request.attempt, unit });
    }
    case "gather": {
      const results = resultsIn(gathered as Gathered);
      return result(FRAME.rules, 0, { attempt: 0, rules: gatheredRules(job, request.table, results) });
    }
    case "join": {
      const { slot, attempt } = request;
      const verdict = await joinSlot(slot, gathered as Gathered, job, world);
      return result(FRAME.result, slot, { attempt, slot: { number: slot, verdict } });
    }
  }
}

function resultsIn({ documents }: Gathered): readonly JobResult[] {
  return documents.map((text) => {
    const read = readResult(text);
    if (!read.sound) throw new Refusal("VER111", `a result cannot be read: ${read.problem}`, ["Run the job again."]);
    return read.value;
  });
}

// ---- Reading --------------------------------------------------------------------------------------------------------

/** Frames that could not be sent: there is no reader to report to. */
class NotSent extends Error {}

type OpenUnits = (table: number, side: Side) => Promise<readonly Unit[]>;

/** A unit reads through one port only. */
const noPort = {} as KafkaPort & OraclePort;

/** The units of a side share a reader, so they are opened once. */
function openUnits(job: Job, ports: CheckedPorts, work: ByteWork): OpenUnits {
  const opened = new Map<string, readonly Unit[]>();
  return async (table, side) => {
    const name = `${table} ${side}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const planned = job.tables[table]?.job;
    if (planned === undefined) return [];
    const open =
      side === "table"
        ? { kafka: noPort, oracle: await ports.oracle() }
        : { kafka: await ports.kafka(), oracle: noPort };
    const units = unitsOf(planned, inputsOf(planned, open), work, job.recordsAUnit).filter((one) => one.side === side);
    opened.set(name, units);
    return units;
  };
}

/** Sends the tuples of a unit. A failure that another attempt would repeat is a result, not an error. */
async function readUnit(name: string, job: Job, units: OpenUnits, send: Send): Promise<NonNullable<JobResult["unit"]>> {
  const listed = job.units.find(({ unit }) => unit === name);
  const table = listed && job.tables[listed.table];
  if (listed === undefined || table?.job === undefined) throw notInJob(`unit ${name}`);
  const isTable = listed.side === "table";
  try {
    const unit = (await units(listed.table, listed.side)).find((one) => `${listed.table}:${one.name}` === name);
    if (unit === undefined) throw notInJob(`unit ${name}`);
    const files = framesAsFiles(unit.shared ? [FRAME.new, FRAME.legacy] : [FRAME[unit.side]], table, async (frame) => {
      await send(frame).catch((error: unknown) => {
        throw new NotSent("the frames have no reader", { cause: error });
      });
    });
    const { done } = await runUnit(files, unit, { done: NOTHING_DONE, files: [] }, table.slots, {
      checkScn: table.job.checkScn,
      segment: job.segment,
      stopped: () => false,
      seen: () => undefined,
      note: async () => undefined,
    });
    const { read, legacyRead, truncates } = done;
    return { name, read, ...(legacyRead && { legacyRead }), truncates };
  } catch (error) {
    const nothing = { name, read: NOTHING_READ, truncates: NO_TRUNCATES };
    if (!(error instanceof CallFailed) || error.code === undefined) throw error;
    const { code, message } = error;
    if (isTable && OUT_OF_REACH.includes(code)) return { ...nothing, unreachable: { code, message } };
    if (!isTable && code === GONE_MEANWHILE) return { ...nothing, notRead: message };
    throw error;
  }
}

function notInJob(what: string): Refusal {
  return new Refusal("VER111", `the job has no ${what}`, ["Use only units and slots of the worker's own job."]);
}

/** A spool whose files are sent to the driver: each slice of a segment is a frame of its slot. */
function framesAsFiles(kinds: readonly number[], { slots, firstSlot }: JobTable, send: Send): SpoolFiles {
  const never = (): never => {
    throw new Error("such files cannot be read back");
  };
  return {
    async create() {
      let bytes = 0;
      return {
        async write([header, ...slices]) {
          if (header === undefined) return;
          const lengths = viewOf(header);
          const filled = slices[Symbol.iterator]();
          for (let slot = 0; slot < slots * kinds.length; slot++) {
            if (lengths.getUint32(slot * 4, true) === 0) continue;
            const payload = filled.next().value as Uint8Array;
            const kind = kinds[Math.floor(slot / slots)] as number;
            await send({ kind, slot: firstSlot + (slot % slots), payload });
            bytes += payload.length;
          }
          bytes += header.length;
        },
        written: () => ({ bytes, checksum: 0 }),
        close: async () => undefined,
      };
    },
    goOn: async () => undefined,
    holds: never,
    read: never,
  };
}

// ---- Joining --------------------------------------------------------------------------------------------------------

async function joinSlot(slot: number, gathered: Gathered, job: Job, { work }: WorkerWorld): Promise<Verdict> {
  const index = tableOfSlot(job, slot);
  const table = job.tables[index];
  const inputs = table && inputsOfTable(table);
  const [rules] = resultsIn(gathered).flatMap((one) =>
    one.job === job.digest && one.rules?.table === index ? one.rules : [],
  );
  if (table === undefined || inputs === undefined) throw notInJob(`slot ${slot}`);
  if (rules === undefined) throw notInJob(`rules for the slot ${slot}`);
  const joinRules = rulesOf(inputs, rules.truncates, NAMED_KEYS, work);
  if (!rules.isRead) return emptyVerdict(joinRules);
  const { tuples, spilled } = gathered;
  const memory = () => ({ bytes: new Uint8Array(job.join), scratch: new Scratch() });
  const verdict =
    spilled === undefined
      ? joined(tuples as NonNullable<typeof tuples>, joinRules, work, new Scratch())
      : await joinInParts(spilled.files, spilled.sides, table.slots, joinRules, memory(), work);
  return job.inputs["showValues"] === true ? verdict : withoutValues(verdict);
}

/** Removes the rows of failed keys, which are values and are sent on request only. */
function withoutValues(verdict: Verdict): Verdict {
  const without = <F extends KeyFinding>(one: F): F => ({ ...one, tableRow: undefined, topicRow: undefined });
  return {
    ...verdict,
    firstFailures: verdict.firstFailures.map(without),
    firstDoubts: verdict.firstDoubts.map(without),
  };
}

// ---- Failing --------------------------------------------------------------------------------------------------------

function failureOf(error: unknown, redact: (text: string) => string): JsonObject {
  const failure = (code: string, message: string, remedy: readonly Advice[], retriable = false): JsonObject => ({
    code,
    message: redact(message),
    remedy: remedy.map((one) => redact(lineOf(one))),
    retriable,
  });
  if (error instanceof CallFailed)
    return failure(error.code ?? error.kind, error.message, error.remedies, mayPass(error));
  if (error instanceof Refusal) return failure(error.code, error.message, error.remedies);
  if (error instanceof UsageError)
    return failure(
      "usage",
      error.message,
      error.problems.flatMap(({ remedy }) => remedy ?? []),
    );
  return failure("bug", error instanceof Error ? (error.stack ?? error.message) : String(error), []);
}
