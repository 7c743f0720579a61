import { printJson } from "../../core/values/json.ts";
import type { NewRecord } from "./kafka/encode-batch.ts";

/** A chunk of a long transaction that the connector has journaled (reference: wire formats, "Transaction journal"). */
export interface JournaledChunk {
  /** `USN.SLOT.SQN`, in container 3. */
  readonly xid: string;
  readonly chunk: number;
  readonly generation: bigint;
  /** SCNs of its first and last redo record. */
  readonly from: bigint;
  readonly to: bigint;
  /** SCNs of its changes and undo records, in order. Default: `from` and `to`. */
  readonly frames?: readonly JournaledFrame[];
  readonly user?: string;
  readonly clientId?: string;
}

export type JournaledFrame = { readonly change: bigint } | { readonly undo: bigint };

const encoder = new TextEncoder();
const ROWID = "AAAqvfABcAAEXtqAAN";

export function journaledChunk(server: string, chunk: JournaledChunk): NewRecord {
  const frames = chunk.frames ?? [{ change: chunk.from }, { change: chunk.to }];
  const undos = frames.filter((frame) => "undo" in frame).length;
  const value = {
    v: 1,
    ...place("first", chunk.from),
    ...place("last", chunk.to),
    events: frames.length - undos,
    undos,
    ...place("first_captured", chunk.from),
    start_scn: null,
    start_rs_id: null,
    start_ssn: null,
    thread: 1,
    username: chunk.user ?? null,
    client_id: chunk.clientId ?? null,
    payload: payload(frames).toString("base64"),
  };
  return { key: keyOf(server, chunk), value: encoder.encode(printJson(value, 0)) };
}

/** Written when its transaction has ended. */
export function journalTombstone(server: string, one: JournaledChunk): NewRecord {
  return { key: keyOf(server, one), value: null };
}

function keyOf(server: string, { xid, chunk, generation }: JournaledChunk): Uint8Array {
  return encoder.encode(printJson({ server, con_id: 3, xid, chunk, generation }, 0));
}

function place(name: string, scn: bigint) {
  return { [`${name}_scn`]: scn, [`${name}_rs_id`]: null, [`${name}_ssn`]: 0 };
}

function payload(frames: readonly JournaledFrame[]): Buffer {
  return Buffer.concat([
    int32(frames.length),
    ...frames.flatMap((frame) => {
      if ("undo" in frame) return [Buffer.of(2), int64(frame.undo), text(undefined), int64(0n), text(ROWID)];
      const bytes = change(frame.change);
      return [Buffer.of(1), int32(bytes.length), bytes];
    }),
  ]);
}

/** A change of SALES.ORDERS without its columns. */
function change(scn: bigint): Buffer {
  return Buffer.concat([
    ...["ORCLPDB1", "SALES", "ORDERS"].map(text),
    Buffer.of(1),
    int32(-1),
    int32(-1),
    Buffer.of(0),
    text(ROWID),
    Buffer.of(1),
    int64(scn),
    text(undefined),
    int64(0n),
    int32(3),
    Buffer.alloc(3 * 8),
    Buffer.of(0),
  ]);
}

function text(value: string | undefined): Buffer {
  if (value === undefined) return int32(-1);
  const bytes = Buffer.from(value);
  return Buffer.concat([int32(bytes.length), bytes]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}
