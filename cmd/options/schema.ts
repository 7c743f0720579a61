import type { Kind } from "../../core/document/intent.ts";
import { flag } from "./common.ts";

/** The published schemas (`schemas/NAME.schema.json`), by kind of document. */
export const SCHEMAS = {
  OffsetChange: "offset-change",
  Resnapshot: "resnapshot",
  Migration: "migration",
  Contexts: "contexts",
  Policy: "policy",
  PolicyTest: "policy-test",
  Facts: "facts",
  Approval: "approval",
  Plan: "plan",
  PlanReport: "plan",
  Run: "run",
  RunList: "run",
  RunEvent: "run-event",
  RunJournal: "run-journal",
  ApplyReport: "apply",
  Offsets: "offsets",
  Connectors: "connectors",
  ContextList: "context-list",
  ContextTest: "context-test",
  Journal: "journal",
  Transactions: "transactions",
  LagExplanation: "lag",
  Preflight: "preflight",
  Sizing: "sizing",
  RedoProfile: "redo-profile",
  Translation: "translation",
  Takeover: "takeover",
  CutoverEvidence: "evidence",
  VerificationJob: "verification-job",
  VerificationResult: "verification-result",
  Error: "error",
} as const satisfies Readonly<Record<Kind, string>> & Readonly<Record<string, string>>;

export type SchemaKind = keyof typeof SCHEMAS;

export const SCHEMA_KINDS = Object.keys(SCHEMAS);

export const schemaPositional = {
  kind: { type: "string", demandOption: true, describe: SCHEMA_KINDS.join(", ") },
} as const;

export const schemaOptions = {
  path: flag("Print the path of the installed schema, for an editor's settings, instead of the schema"),
} as const;
