import { CallFailed, Refusal } from "../../core/errors.ts";
import type { ScnTime } from "../../core/facts/database.ts";
import { mapObserved, type Observed } from "../../core/facts/observed.ts";
import { logsToProbe, type RedoExamination } from "../../core/facts/redo-examination.ts";
import { redoFrom } from "../../core/facts/redo-from.ts";
import { probeApplies } from "../../core/facts/redo-probe.ts";
import type { ConnectorSettings } from "../../core/facts/settings.ts";
import { decodeOffset, isEmptyOffset, type StoredOffset } from "../../core/facts/stored-offset.ts";
import { noConnector } from "../../core/kinds/connector/no-connector.ts";
import { shownItems } from "../../core/plan/diff.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import { canonicalJson, printJson } from "../../core/values/json.ts";
import { EXIT } from "../command.ts";
import { type Host, textOptions } from "../host.ts";
import { offsetsDocument } from "../views/offset-json.ts";
import { renderOffsetShow } from "../views/offset-text.ts";
import { openWorld } from "./open-world.ts";

export interface OffsetShowFlags {
  readonly "connect-url": string;
  readonly name: string;
  readonly config: string | undefined;
  readonly "bootstrap-servers": string | undefined;
  readonly "command-config": string | undefined;
  readonly format: string;
  readonly "check-redo": boolean;
}

/** `admin offsets show`. @returns 1 when `--check-redo` finds that redo is not all there */
export async function showOffsets(flags: OffsetShowFlags, host: Host): Promise<number> {
  const world = await openWorld(
    { context: undefined, connectUrl: flags["connect-url"], connector: flags.name },
    flags,
    host,
  );
  try {
    const [description, entries] = await Promise.all([
      world.connect.connector(flags.name),
      world.connect
        .offsets(flags.name)
        .catch((failure: unknown) =>
          failure instanceof CallFailed && failure.kind === "missing" ? [] : Promise.reject(failure),
        ),
    ]);
    if (description === undefined) throw noConnector(flags.name, world.connect.url);
    const stored = entries.filter(({ offset }) => !isEmptyOffset(offset));
    const settings = flags["check-redo"]
      ? await world.settingsOf(description)
      : await world.settingsOf(description).catch(() => undefined);
    const oracle = settings === undefined ? undefined : world.oracle(settings);
    const reports = [];
    for (const { partition, offset } of stored) {
      const decoded = offset === null ? undefined : decodeOffset(offset);
      const sound = decoded?.ok ? decoded.offset : undefined;
      if (flags["check-redo"] && sound === undefined)
        throw new Refusal("OFF105", "the stored offset can't be read, so its redo can't be checked");
      const redo =
        flags["check-redo"] && sound && settings && oracle ? await checkRedo(sound, settings, oracle) : undefined;
      const timed = sound && oracle ? await timesOf(sound, oracle) : { times: [], zone: undefined };
      reports.push({
        entry: { partition, offset },
        partition,
        items: shownItems(offset, timed.times),
        times: timed.times,
        zone: timed.zone,
        redo,
      });
    }
    host.stdout.write(
      flags.format === "json"
        ? `${printJson(offsetsDocument(flags.name, reports))}\n`
        : text(flags.name, reports, host),
    );
    return reports.every(({ redo }) => redo === undefined || (redo.known && redo.value.complete))
      ? EXIT.done
      : EXIT.refused;
  } finally {
    await world.close();
  }
}

function text(
  connector: string,
  reports: readonly {
    readonly partition: unknown;
    readonly items: ReturnType<typeof shownItems>;
    readonly zone: string | undefined;
    readonly redo: Observed<RedoExamination> | undefined;
  }[],
  host: Host,
): string {
  if (reports.length === 0) return `${connector} has no stored offset\n`;
  return reports
    .map(({ partition, items, zone, redo }) =>
      renderOffsetShow(
        { connector, partition: canonicalJson(partition), items, zone, ...(redo === undefined ? {} : { redo }) },
        textOptions(host.stdout),
      ),
    )
    .join("\n");
}

/** Times are a help, not what was asked for: without the database they are left out. */
async function timesOf(
  { resumeScn, lastCommit }: StoredOffset,
  oracle: OraclePort,
): Promise<{ readonly times: readonly ScnTime[]; readonly zone: string | undefined }> {
  try {
    const scns = lastCommit === undefined ? [resumeScn] : [resumeScn, lastCommit.scn];
    const [times, { zone }] = await Promise.all([oracle.timesOf(scns), oracle.database()]);
    return { times, zone };
  } catch {
    return { times: [], zone: undefined };
  }
}

/** With the connector's own continuity checks: every log from the resume SCN on, each one opened. */
async function checkRedo(
  { resumeScn }: StoredOffset,
  settings: ConnectorSettings,
  oracle: OraclePort,
): Promise<Observed<RedoExamination>> {
  const [database, threads, destinations, online, archived] = await Promise.all([
    oracle.database(),
    oracle.threads(),
    oracle.destinations(),
    oracle.onlineLogs(),
    oracle.archivedLogs(resumeScn),
  ]);
  const catalogue = { threads, destinations, archived, online };
  const question = {
    from: resumeScn,
    currentScn: database.currentScn,
    resetlogsScn: database.resetlogsScn,
    captureMode: settings.captureMode,
    destination: settings.archiveDestination,
  };
  const applies = probeApplies({ connector: settings, database });
  const probes = applies ? await oracle.probeLogs(logsToProbe(catalogue, question)) : undefined;
  return mapObserved({ known: true, value: catalogue, source: "V$ARCHIVED_LOG", at: "" }, (seen) =>
    redoFrom(seen, question, probes),
  );
}
