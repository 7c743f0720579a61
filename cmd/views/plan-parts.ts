import type { Plan } from "../../core/plan/plan.ts";
import type { Advice } from "../../core/values/remedy.ts";
import { clip } from "./layout.ts";
import { isUtc } from "./quantities.ts";
import { type Field, type Notice, notice, RANK, type Section } from "./report/model.ts";

/** What is peculiar to a kind of change. */
export interface PlanParts {
  /** The connector that a plan is of; of a migration both. */
  readonly connectors: string;
  /** What is to be tried before: redo that could be brought back. */
  readonly before: readonly Section[];
  /** What changes and what that means. */
  readonly change: readonly Section[];
  /** Remedies that `before` has already. */
  readonly said: readonly Advice[];
}

/** In which zone times are shown, where that may surprise: where the database server does not show UTC itself. */
export function zoneNote({ world }: Plan): readonly Notice[] {
  const { zone } = world.database;
  return isUtc(zone) ? [] : [notice(`times are UTC; the database server's zone is ${clip(zone, 60)}`, "quiet")];
}

/** What a change means, one labelled sentence each. */
export function meaning(aim: string | undefined, fields: readonly Field[]): Section {
  return {
    title: "What it means",
    terminal: "no title",
    rank: RANK.consequences,
    parts: [
      ...(aim === undefined ? [] : [notice(aim, "strong")]),
      ...(fields.length === 0 ? [] : [{ is: "fields" as const, rows: fields, aligned: true as const }]),
    ],
  };
}
