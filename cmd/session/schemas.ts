import { readFile } from "node:fs/promises";
import type { Kind } from "../../core/document/intent.ts";
import { nearest } from "../../core/document/nearest.ts";
import { UsageError } from "../../core/errors.ts";
import { truncate } from "../../core/values/truncate.ts";

type Output =
  | "Contexts"
  | "Facts"
  | "Plan"
  | "PlanReport"
  | "Run"
  | "RunList"
  | "Offsets"
  | "Connectors"
  | "ContextList"
  | "ContextTest"
  | "Journal"
  | "Transactions"
  | "LagExplanation"
  | "Preflight"
  | "Sizing"
  | "Translation"
  | "Takeover"
  | "CutoverEvidence"
  | "Error";

/** The published schemas by the name that a person asks for. */
const SCHEMAS: Readonly<Record<Kind | Output, string>> = {
  OffsetChange: "offset-change",
  Resnapshot: "resnapshot",
  Migration: "migration",
  Contexts: "contexts",
  Facts: "facts",
  Plan: "plan",
  PlanReport: "plan",
  Run: "run",
  RunList: "run",
  Offsets: "offsets",
  Connectors: "connectors",
  ContextList: "context-list",
  ContextTest: "context-test",
  Journal: "journal",
  Transactions: "transactions",
  LagExplanation: "lag",
  Preflight: "preflight",
  Sizing: "sizing",
  Translation: "translation",
  Takeover: "takeover",
  CutoverEvidence: "evidence",
  Error: "error",
};

/** @throws UsageError naming the schemas there are */
export async function schemaText(asked: string): Promise<string> {
  const plain = asked.replaceAll(/[-_ ]/g, "").toLowerCase();
  const file = Object.entries(SCHEMAS).find(([name]) => name.toLowerCase() === plain)?.[1];
  if (file === undefined) {
    const meant = nearest(asked, Object.keys(SCHEMAS));
    throw new UsageError(
      `there is no schema of ${truncate(asked, 40)}`,
      `${meant === undefined ? "" : `Did you mean ${meant}? `}There are: ${Object.keys(SCHEMAS).join(", ")}.`,
    );
  }
  return readSchema(`${file}.schema.json`);
}

/** Beside the built program, or, when it runs from its sources, two folders up. */
async function readSchema(name: string): Promise<string> {
  for (const place of [`./schemas/${name}`, `../../schemas/${name}`]) {
    try {
      return await readFile(new URL(place, import.meta.url), "utf8");
    } catch {}
  }
  throw new Error(`the schema ${name} was not installed with cdcctl`);
}
