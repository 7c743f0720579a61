import type { Misplaced } from "../../core/facts/offset/origin.ts";
import type { Timeline } from "../../core/timeline/timeline.ts";
import { painter } from "./colour.ts";
import { clip, layoutWidth, wrap } from "./layout.ts";
import { code, EMPTY, fenced, inline, type Markdown, markdownOf, md } from "./markdown.ts";
import { type Rendered, textOf } from "./rendered.ts";
import { timelineLines } from "./timeline-text.ts";

/** Where a connector stands, or why that can't be seen. */
export type PositionShown =
  | {
      readonly connector: string;
      readonly timeline: Timeline;
      /** The stored offset has no place in the connected database. */
      readonly misplaced?: Misplaced;
    }
  | { readonly connector: string; readonly unknown: string };

/** What a comment shows of a code block without scrolling. Columns. */
const MARKDOWN_WIDTH = 96;

export function positionText(
  shown: PositionShown,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const lines = [
    "",
    ...wrap(clip(shown.connector, 200), width).map((line) => paint("strong", line)),
    ...("timeline" in shown
      ? timelineLines(shown.timeline, width, paint)
      : wrap(`where it stands can't be seen: ${clip(shown.unknown, 2000)}`, width - 2).map(
          (line) => `  ${paint("caution", line)}`,
        )),
  ];
  return textOf(lines);
}

export function positionMarkdown(shown: PositionShown): Markdown {
  const name = code(shown.connector, 200);
  if (!("timeline" in shown)) return md`${name}: where it stands can't be seen: ${inline(shown.unknown)}\n`;
  const { open, lines, close } = fenced(timelineLines(shown.timeline, MARKDOWN_WIDTH, painter(false)));
  return markdownOf([md`${name} stands here:`, EMPTY, open, ...lines, close]);
}
