import { EMPTY, inline, type Markdown, markdownOf, md } from "./markdown.ts";

/** The limit of a GitHub comment. Counted in UTF-8 bytes, which are never fewer than characters. */
export const LONGEST_COMMENT = 65_535;

/** A piece of Markdown that may be truncated between its items, never inside one. */
export interface Block {
  /** Lower is more important; blocks of one rank share the remaining space fairly. */
  readonly rank: number;
  /** Lines shown if at least one item is: a heading, a table's head, an opening fence. */
  readonly head: readonly Markdown[];
  /** Each item is one line, or several that belong together. */
  readonly items: readonly Markdown[];
  readonly foot?: readonly Markdown[];
  /** Total number of items, if `items` holds only the first. */
  readonly total?: number;
  /** The noun for the items: `findings`. */
  readonly what: string;
  /** Shown completely or not at all: a fence, a short list that is useless in part. */
  readonly whole?: boolean;
}

/** Maximum share of the remaining space for a rank, so that later ranks get some; the last takes all. */
const SHARE = 0.75;
/** Room for line ends that a caller adds. */
const SLACK = 16;
/** Room for the note about what was left out of a block. */
const NOTE = 80;

/**
 * Joins blocks in order within `limit` bytes. If not everything fits, items are omitted from the end of less important
 * blocks; each such block states how many, and a closing line states the truncation.
 */
export function fitBlocks(blocks: readonly Block[], limit: number = LONGEST_COMMENT): Markdown {
  const closing = md`\n*Truncated to fit a comment; \`--format text\` and \`--format json\` have the rest.*\n`;
  let left = limit - bytes(closing) - SLACK;
  const taken = new Map<Block, Taken>();
  const ranks = [...new Set(blocks.map((block) => block.rank))].sort((a, b) => a - b);
  for (const rank of ranks) {
    const same = blocks.filter((block) => block.rank === rank);
    let room = rank === ranks.at(-1) ? left : Math.floor(left * SHARE);
    const put = (block: Block, most: number) => {
      const part = take(block, most);
      taken.set(block, part);
      room -= part.bytes;
      left -= part.bytes;
    };
    // Blocks shown completely are short; the lists share the rest, and the longest takes what the others leave.
    const lists = same.filter(({ whole }) => whole !== true).sort((a, b) => a.items.length - b.items.length);
    for (const block of same) if (block.whole === true) put(block, room);
    lists.forEach((block, i) => {
      put(block, Math.floor(room / (lists.length - i)));
    });
  }
  const shortened = blocks.some((block) => taken.get(block)?.complete === false);
  const lines = blocks.flatMap((block) => taken.get(block)?.lines ?? []);
  const end = lines.findLastIndex((line) => line !== EMPTY) + 1;
  return md`${markdownOf(lines.slice(0, end))}${shortened ? closing : EMPTY}`;
}

interface Taken {
  readonly lines: readonly Markdown[];
  readonly bytes: number;
  readonly complete: boolean;
}

function take(block: Block, room: number): Taken {
  const { head, items, foot = [], total = items.length } = block;
  const frame = size([...head, ...foot]);
  let used = frame;
  let count = 0;
  for (const item of items) {
    const next = used + size([item]);
    if (next + (count + 1 < total ? NOTE : 0) > room) break;
    used = next;
    count++;
  }
  if (count === total && used <= room) return { lines: [...head, ...items, ...foot], bytes: used, complete: true };
  if (total === 0) return { lines: [], bytes: 0, complete: false };
  const note = [EMPTY, md`*${total - count} more ${inline(block.what)} left out*`, EMPTY];
  if (count > 0 && block.whole !== true)
    return { lines: [...head, ...items.slice(0, count), ...foot, ...note], bytes: used + size(note), complete: false };
  const all = [EMPTY, md`*${total} ${inline(block.what)} left out*`, EMPTY];
  return size(all) <= room
    ? { lines: all, bytes: size(all), complete: false }
    : { lines: [], bytes: 0, complete: false };
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + bytes(line) + 1, 0);
}

const encoder = new TextEncoder();

export function bytes(text: string): number {
  return encoder.encode(text).length;
}
