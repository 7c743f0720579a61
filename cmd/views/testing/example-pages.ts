// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect
import type { PositionSeen } from "../../../core/kinds/connector/inspect-position.ts";
import { examine, readStored } from "../../../core/kinds/connector/reading.ts";
import { facts, known, STORED } from "../../../core/kinds/offset-change/testing/build-facts.ts";
import { LEGACY_CLASS } from "../../../core/legacy/connector-class.ts";
import { translate } from "../../../core/legacy/translation.ts";
import { REDO_WITH_GAP } from "../../../core/plan/testing/build-plan.ts";
import { buildRun, untilSucceeded } from "../../../core/plan/testing/build-run.ts";
import { MIGRATION_EXAMPLES } from "../../../core/plan/testing/example-migrations.ts";
import { backward, blockedByGap, hostile } from "../../../core/plan/testing/example-plans.ts";
import { unlistedBlocked } from "../../../core/plan/testing/example-snapshots.ts";
import { HOSTILE } from "../../../core/plan/testing/hostile.ts";
import { redactConfiguration } from "../../../core/redaction/redact.ts";
import { buildTimeline, TIMES, WITH_GAP } from "../../../core/timeline/testing/build-timeline.ts";
import type { Timeline } from "../../../core/timeline/timeline.ts";
import { positionReport } from "../position.ts";
import type { Report } from "../report/model.ts";
import { renderHtml } from "../report/page.ts";
import { historyReport, runReport } from "../run.ts";
import { readRun } from "../run-timeline.ts";
import { type TranslationReport, translationReport } from "../translation.ts";
import { renderPlansHtml } from "./plan-forms.ts";

/** One page of each sort, with typical content and with an attacker's content. */

/** A timeline with every element. */
export const FULL: Timeline = buildTimeline({
  target: 2169287n,
  firstAvailable: 2190412n,
  catalogue: WITH_GAP,
  transactions: known([
    {
      xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n },
      startScn: 1_140_000n,
      startedAt: "2026-11-19T06:00:12Z",
      user: "APP",
      clientId: "batch-7",
    },
  ]),
  journaled: known([{ xid: "5.2.802", container: 3n, firstScn: 2200000n, user: "APP", clientId: undefined }]),
});

const HOSTILE_TIMELINE: Timeline = {
  ...FULL,
  transactions: FULL.transactions.map((one) => ({
    ...one,
    xid: HOSTILE,
    user: HOSTILE,
    clientId: `"><script>alert(1)</script>`,
  })),
  unseen: [{ what: "redo", why: `${HOSTILE}</title></svg><script>alert(2)</script>` }],
};

function seenAt(timeline: Timeline, name: string): PositionSeen {
  const { at, worker, connector, database } = facts({ connector: { name } });
  const seen = {
    at,
    worker,
    connector,
    database,
    redo: examine(facts({ catalogue: REDO_WITH_GAP }), 2169287n),
    times: known(TIMES),
    timeline,
    misplaced: undefined,
  };
  return { ...seen, stored: readStored({ connector }) };
}

function run() {
  const shown = readRun(buildRun(backward, untilSucceeded(backward)));
  if (shown === undefined) throw new Error("a run without its beginning");
  return shown;
}

/** A legacy configuration with long names and values. */
function translated(): TranslationReport {
  const legacy = {
    "connector.class": LEGACY_CLASS,
    "oracle.server": "docs-db.example.com",
    "oracle.port": "1521",
    "oracle.sid": "DOCS",
    "oracle.username": "C##CDC",
    "oracle.password": "${file:/etc/kafka/docs.properties:password}",
    "table.inclusion.regex": "DOCSPDB[.]DOCS[.].*",
    "table.topic.name.template": "${connectorName}-${tableName}",
    "lob.topic.name.template": "${databaseName}.${schemaName}.${tableName}.${columnName}",
    "log.mining.archive.destination.name": "LOG_ARCHIVE_DEST_2",
    "redo.log.row.poll.username.exclude": "BATCH,GOLDENGATE",
    "numeric.mapping": "best_fit_or_double",
  };
  return { source: redactConfiguration(legacy), translation: translate("orders-legacy", legacy) };
}

const page = (report: Report) => renderHtml({ what: "report", reports: [report] }, "0.1.0");

const [migration] = Object.values(MIGRATION_EXAMPLES);

export const PAGES: { readonly [name: string]: string } = {
  position: page(positionReport(seenAt(FULL, "orders-cdc"))),
  ready: renderPlansHtml([backward], "0.1.0"),
  refused: renderPlansHtml([{ ...blockedByGap, timeline: FULL }], "0.1.0"),
  resnapshot: renderPlansHtml([{ ...unlistedBlocked, timeline: FULL }], "0.1.0"),
  several: renderPlansHtml([backward, blockedByGap, ...(migration === undefined ? [] : [migration])], "0.1.0"),
  run: page(runReport(run())),
  history: page(historyReport({ shown: [run(), run()], unreadable: { runs: [], folders: [] } })),
  translation: page(translationReport(translated(), "orders-legacy.json")),
};

export const HOSTILE_PAGES: { readonly [name: string]: string } = {
  position: page(
    positionReport({
      ...seenAt(HOSTILE_TIMELINE, HOSTILE),
      stored: readStored(facts({ stored: { ...STORED, [HOSTILE]: HOSTILE } })),
    }),
  ),
  plan: renderPlansHtml([{ ...hostile, timeline: HOSTILE_TIMELINE }], "0.1.0"),
};
