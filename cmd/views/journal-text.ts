import type { JudgedTransaction, Verdict } from "../../core/journal/report.ts";
import { largest } from "../../core/values/extremes.ts";
import { printXid } from "../../core/values/xid.ts";
import { type Paint, painter, type Tone } from "./colour.ts";
import {
  FORMS,
  holdingSentence,
  type JournalShown,
  journalRemedies,
  offsetSentence,
  recordsSentence,
  STOPS,
  taskSays,
  verdictSentence,
} from "./journal-sentences.ts";
import { clip, hanging, layoutWidth, pad, remedyLines, widthOf, wrap } from "./layout.ts";
import { counted } from "./quantities.ts";
import { type Rendered, textOf } from "./rendered.ts";

const FIELD = 16;
/** Of a topic full of strange records so many are named. */
const MOST_PROBLEMS = 20;

const TONES: { readonly [V in Verdict]: Tone } = {
  restored: "good",
  stale: "quiet",
  "mined again": "quiet",
  stops: "bad",
  "not read": "quiet",
};

/** `admin journal inspect`: what the topic holds, and what the next start does with each transaction. */
export function renderJournal(
  shown: JournalShown,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const { connector, topic, reading } = shown;
  const title = wrap(`transaction journal of ${clip(connector)}: ${clip(topic)}`, width).map((line) =>
    paint("strong", line),
  );
  if (shown.cleanupPolicy === undefined) return textOf([...title, "  there is no such topic: nothing is journaled"]);
  const field = (name: string, text: string) => hanging(`  ${pad(name, FIELD)}`, 2 + FIELD, text, width);
  const lines = [
    ...title,
    ...field("records", recordsSentence(reading)),
    ...field("stored offset", offsetSentence(shown)),
    ...field("read as", FORMS[shown.form]),
    "",
    ...(reading.transactions.length === 0
      ? ["  no transaction is journaled"]
      : transactions(reading.transactions, width, paint)),
    ...problems(shown, width, paint),
  ];
  return textOf(lines);
}

function transactions(all: readonly JudgedTransaction[], width: number, paint: Paint): readonly string[] {
  const widest = largest(all.map(({ xid }) => widthOf(printXid(xid)))) + 3;
  return all.flatMap((one) => {
    const [verdict = "", ...more] = hanging("", 2 + widest, verdictSentence(one), width);
    return [
      `  ${pad(printXid(one.xid), widest)}${paint(TONES[one.verdict], verdict)}`,
      ...more,
      ...hanging(" ".repeat(2 + widest), 2 + widest, clip(holdingSentence(one), 600), width),
    ];
  });
}

function problems(shown: JournalShown, width: number, paint: Paint): readonly string[] {
  const { problems: all, counts } = shown.reading;
  if (all.length === 0) return [];
  const unnamed = all.length - MOST_PROBLEMS + Math.max(0, counts.unreadable - 100);
  const [head = "", ...rest] = wrap(STOPS, width);
  return [
    "",
    paint("bad", head),
    ...rest,
    ...all.slice(0, MOST_PROBLEMS).flatMap((one) => hanging("  ! ", 4, clip(taskSays(one, shown.topic), 1000), width)),
    ...(unnamed > 0 ? [`  and ${counted(unnamed, "more problem")}`] : []),
    ...journalRemedies(shown).flatMap((remedy) => remedyLines(remedy, 2, width)),
  ];
}
