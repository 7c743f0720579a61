import type { MigrationPlan } from "../../core/plan/migration-plan.ts";
import { type Consequence, consequence, withDetails } from "./consequence.ts";
import { clip } from "./layout.ts";
import { counted } from "./quantities.ts";
import { redoSentences } from "./redo-sentences.ts";

/** What a phase of a migration means, in sentences. Not escaped. */
export function migrationConsequences(plan: MigrationPlan, most: number): readonly Consequence[] {
  const { migration } = plan;
  switch (migration.phase) {
    case "cutover":
    case "rollback": {
      const { redo } = migration;
      if (redo === undefined) return [consequence("redo", "whether it is all there can't be seen", "caution")];
      const { sentence, details } = redoSentences(redo);
      return [withDetails(consequence("redo", sentence, redo.complete ? undefined : "bad"), details, most)];
    }
    case "verify":
      return [consequence("tables", migration.tables.map(({ table }) => clip(table)).join(", "))];
    case "retire":
      return [
        withDetails(
          consequence("deleted", counted(migration.topics.length, "topic"), "bad"),
          migration.topics.map(({ topic, what }) => `${topic}  ${what}`),
          most,
        ),
      ];
  }
}
