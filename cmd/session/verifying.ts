import { join } from "node:path";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import { printIgnoredColumn } from "../../core/verification/cutover/ignored-columns.ts";
import type { CutoverRequest } from "../../core/verification/cutover/request.ts";
import { verifyCutover } from "../../core/verification/cutover/verify-cutover.ts";
import { evidenceOf } from "../../core/verification/evidence/evidence.ts";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { spoolDirectory } from "../../providers/spool/spool-directory.ts";
import type { Evidence } from "../../schemas/generated/evidence.ts";
import { type Host, VERSION } from "../host.ts";
import { systemClock } from "./clock.ts";
import type { OpenWorld } from "./open-world.ts";
import { stateFolder } from "./state-place.ts";
import { verifyProgress } from "./verify-progress.ts";
import { verifyThreads } from "./verify-threads.ts";

/**
 * Verifies a cutover and tells on the way how far it is: for `migrate verify`, and for the phase of a plan.
 *
 * @param workDir where the partition files go; undefined: below the state
 * @param values whether values that differ are written into the evidence
 * @returns `"interrupted"` when it was asked to stop; what was done is kept for the next run
 */
export async function verifiedEvidence(
  request: CutoverRequest,
  { connect, loginsOf }: Pick<OpenWorld, "connect" | "loginsOf">,
  { kafka, oracle }: { readonly kafka: KafkaPort; readonly oracle: OraclePort },
  { workDir, values }: { readonly workDir: string | undefined; readonly values: boolean },
  host: Host,
): Promise<Evidence | "interrupted"> {
  const progress = verifyProgress(host);
  const place = workDir ?? join(stateFolder(host), "verify");
  const logins = loginsOf(kafka, oracle);
  const threads = logins === undefined ? undefined : verifyThreads(logins, place, host.threads);
  const verified = await verifyCutover(
    request,
    {
      ...{ connect, kafka, oracle, clock: systemClock, work: nodeBytes },
      spools: spoolDirectory(place),
      ...(threads === undefined ? {} : { threads }),
    },
    progress.tell,
    host.interrupt,
  ).finally(progress.end);
  if (verified === "interrupted") return verified;
  const { database, checkScn, resumeScn, tables } = verified;
  return evidenceOf({
    writtenAt: systemClock.now(),
    cdcctl: VERSION,
    inputs: {
      connector: request.connector,
      connect: connect.url,
      brokers: kafka.brokers,
      database: oracle.address,
      databaseName: database.name,
      dbid: String(database.dbid),
      resetlogsScn: String(database.resetlogsScn),
      tables: request.tables.map(({ name, topic }) => (topic === undefined ? name : `${name}=${topic}`)),
      legacyTopics: request.tables.flatMap(({ name, legacyTopic }) =>
        legacyTopic === undefined ? [] : [`${name}=${legacyTopic}`],
      ),
      ignoredColumns: request.ignoredColumns.map(printIgnoredColumn),
      showValues: values,
    },
    checkScn,
    resumeScn,
    tables,
    values,
  });
}
