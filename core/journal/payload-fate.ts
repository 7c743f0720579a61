import { UnreadablePayload } from "./binary-reader.ts";
import { type ChunkHeader, type ReadMembers, readPayload } from "./chunk-record.ts";
import { NotJson } from "./json-members.ts";
import { framesOf } from "./payload.ts";
import { isBefore, type RedoPlace } from "./redo-order.ts";
import { type Kept, keptOf } from "./trim.ts";

/** What becomes of a chunk that its header lets pass, by its payload. */
export type PayloadFate =
  | { readonly fate: "restored"; readonly kept: Kept }
  | { readonly fate: "mined again" }
  | { readonly fate: "unreadable"; readonly why: string };

/** Every frame is read, also where all are kept: a task that can't read one stops. */
export function payloadFate(
  header: ChunkHeader,
  value: Uint8Array,
  members: ReadMembers,
  resume: RedoPlace,
): PayloadFate {
  try {
    const frames = framesOf(readPayload(value, members));
    if (isBefore(header.last, resume)) {
      for (const _ of frames);
      return { fate: "restored", kept: { changes: header.changes, undos: header.undos, unplaced: 0 } };
    }
    const kept = keptOf(frames, resume, header);
    return kept.changes + kept.undos + kept.unplaced === 0 ? { fate: "mined again" } : { fate: "restored", kept };
  } catch (error) {
    if (error instanceof UnreadablePayload || error instanceof NotJson)
      return { fate: "unreadable", why: error.message };
    throw error;
  }
}
