import type { SpoolFile, SpoolFiles } from "../../ports/spool.ts";
import type { SideSlices } from "../engine/slices.ts";
import { eachSide, SIDES, type Side, type Sides } from "../tuple.ts";
import { endedBadly, FRAME, type Frame } from "./frames.ts";

/** Frames that follow a request, up to its end. */
export interface Gathered {
  readonly documents: readonly string[];
  /** The tuples, if they fit into memory. */
  readonly tuples: Sides<Uint8Array> | undefined;
  /** Otherwise the files to which they were written. */
  readonly spilled: { readonly files: SpoolFiles; readonly sides: Sides<SideSlices> } | undefined;
  /** Why some of it could not be kept. */
  readonly failed: { readonly error: unknown } | undefined;
  close(): Promise<void>;
}

export type Spill = SpoolFiles & { close(): Promise<void> };

const decoder = new TextDecoder();

/**
 * Reads frames up to `end`. Tuples of one slot beyond `most` bytes are written to files. If that fails, the rest is
 * skipped, so that the next frame is the next request.
 *
 * @returns with `failed` if writing to `spill` failed, after the end is reached
 * @throws CallFailed if there is no end
 */
export async function gathering(
  frames: AsyncIterator<Frame>,
  most: number,
  spill: () => Promise<Spill>,
): Promise<Gathered> {
  const documents: string[] = [];
  const parts: Record<Side, Uint8Array[]> = { table: [], new: [], legacy: [] };
  let bytes = 0;
  let files: SlotFiles | undefined;
  let failed: { readonly error: unknown } | undefined;

  const take = async ({ kind, payload }: Frame): Promise<void> => {
    const side = SIDES.find((one) => FRAME[one] === kind);
    if (side === undefined) {
      documents.push(decoder.decode(payload));
      return;
    }
    bytes += payload.length;
    if (files === undefined && bytes > most) {
      files = await slotFiles(spill);
      for (const one of SIDES) {
        for (const part of parts[one]) await files.add(one, part);
        parts[one] = [];
      }
    }
    if (files === undefined) parts[side].push(payload);
    else await files.add(side, payload);
  };
  for (;;) {
    const next = await frames.next();
    if (next.done === true) {
      await files?.close();
      throw endedBadly("ended within a request");
    }
    if (next.value.kind === FRAME.end) break;
    if (failed === undefined) await take(next.value).catch((error: unknown) => (failed = { error }));
  }
  const inMemory = files === undefined && failed === undefined;
  return {
    documents,
    tuples: inMemory ? eachSide(parts, whole) : undefined,
    spilled: await files?.spilled(),
    failed,
    close: async () => files?.close(),
  };
}

/** @param parts released one by one as they are copied */
function whole(parts: Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    all.set(part, at);
    at += part.length;
    parts[index] = new Uint8Array(0);
  }
  return all;
}

/** Files with the tuples of one slot, one file per side; each frame is a slice. */
interface SlotFiles {
  add(side: Side, part: Uint8Array): Promise<void>;
  spilled(): Promise<{ readonly files: SpoolFiles; readonly sides: Sides<SideSlices> }>;
  close(): Promise<void>;
}

async function slotFiles(spill: () => Promise<Spill>): Promise<SlotFiles> {
  const files = await spill();
  const open = new Map<Side, { readonly file: SpoolFile; readonly starts: number[]; readonly lengths: number[] }>();
  const nameOf = (side: Side): string => `${side}.0`;
  return {
    async add(side, part) {
      const one = open.get(side) ?? { file: await files.create(nameOf(side)), starts: [], lengths: [] };
      open.set(side, one);
      one.starts.push(one.file.written().bytes);
      one.lengths.push(part.length);
      await one.file.write([part]);
    },
    async spilled() {
      const slices = (side: Side) => {
        const one = open.get(side);
        return one === undefined ? [] : [{ ...one, file: nameOf(side) }];
      };
      return { files, sides: { table: slices("table"), new: slices("new"), legacy: slices("legacy") } };
    },
    close: () => files.close(),
  };
}
