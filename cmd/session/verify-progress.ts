import type { CutoverEvent } from "../../core/verification/cutover/request.ts";
import type { VerifyNotice, VerifyProgress } from "../../core/verification/engine/progress.ts";
import type { Host } from "../host.ts";
import { counted, grouped, showBytes, showMillis } from "../views/quantities.ts";
import { documentText, textOf, writtenOver } from "../views/rendered.ts";
import { systemClock } from "./clock.ts";

/** On a terminal a line is written over; in a log one is added now and then. */
const REFRESH_MILLIS = 200;
const HEARTBEAT_MILLIS = 30_000;

interface Progress {
  tell(event: CutoverEvent): void;
  /** Leaves the line that is written over. */
  end(): void;
}

/** Tells on standard error what a verification does, and how far it is. */
export function verifyProgress({ stderr }: Pick<Host, "stderr">): Progress {
  const { columns } = stderr;
  const every = columns === undefined ? HEARTBEAT_MILLIS : REFRESH_MILLIS;
  let shown = 0;
  let last = systemClock.elapsed();

  const clear = (): void => {
    if (shown > 0) stderr.write(documentText(`\r${" ".repeat(shown)}\r`));
    shown = 0;
  };
  const line = (text: string): void => {
    clear();
    stderr.write(textOf([text]));
  };
  const passing = (text: string): void => {
    const now = systemClock.elapsed();
    if (now - last < every) return;
    last = now;
    if (columns === undefined) {
      line(text);
      return;
    }
    const fitting = writtenOver("", text, Math.max(1, columns - 1));
    clear();
    stderr.write(fitting);
    shown = fitting.length;
  };

  return {
    tell(event) {
      switch (event.is) {
        case "check SCN":
          return line(`check SCN ${event.scn} (${event.chosen})`);
        case "waiting":
          return passing(
            `waiting until the resume SCN ${event.resumeScn} passes ${event.checkScn}, for ${showMillis(event.millis)}`,
          );
        case "passed":
          return line(`the connector has passed it: its resume SCN is ${event.resumeScn}`);
        case "table":
          line(
            `${event.table}: topic ` +
              `${event.newTopic}${event.legacyTopic === undefined ? "" : `, legacy topic ${event.legacyTopic}`}`,
          );
          for (const remark of event.remarks) line(`  note: ${remark}`);
          return;
        case "notice":
          return line(`  ${noticeText(event.notice)}`);
        case "progress":
          return passing(`  ${event.table}: ${progressText(event.progress)}`);
        case "done":
          return clear();
      }
    },
    end: clear,
  };
}

function noticeText(notice: VerifyNotice): string {
  switch (notice.is) {
    case "disk": {
      const free = notice.free === undefined ? "what is free is not known" : `${showBytes(notice.free)} are free`;
      return `disk: about ${showBytes(BigInt(notice.estimated))} in ${notice.place}, ${free}; removed at the end`;
    }
    case "resumed":
      return `goes on with an interrupted run: ${counted(notice.finished, "part")} read, ${notice.begun} begun`;
    case "afresh":
      return `an interrupted run can't be gone on with (${notice.why}): everything is read again`;
  }
}

function progressText(progress: VerifyProgress): string {
  if (progress.phase === "joining") return `compared ${progress.joined} of ${progress.partitions} parts`;
  const records = progress.newRecords + progress.legacyRecords;
  const rate =
    progress.millis > 1000 ? `, ${grouped(BigInt(Math.round(records / (progress.millis / 1000))))} records/s` : "";
  const rows = progress.rowsExpected === undefined ? "" : ` of about ${grouped(BigInt(progress.rowsExpected))}`;
  return (
    `${grouped(BigInt(progress.rows))}${rows} rows, ${grouped(BigInt(records))} of at most ` +
    `${grouped(BigInt(progress.recordsExpected))} records${rate}`
  );
}
