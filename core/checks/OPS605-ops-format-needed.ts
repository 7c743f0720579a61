import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";
import { settingsIn } from "./settings.ts";

/**
 * With a converter that is not JSON, whoever reads the ops topic expects that converter's form; which JSON to write has
 * to be said.
 *
 * Rule: specification, "Ops event `offsets-set`" and "Refusals".
 */
export const opsFormatNeeded: Check<ConnectorKind | "Return"> = {
  code: "OPS605",
  title: "The form of the ops event has to be said",
  problem: "The connector's converter is not JSON; a record in a form that its readers don't know may stop them.",
  remedy: "Set `spec.opsFormat` (`--ops-format`) to `json` or `json_schemas`.",
  grade: "refusal",

  run({ target }, { opsFormat, changesOffset, facts }) {
    if (opsFormat !== undefined || !changesOffset) return pass;
    return fail({
      seen: `value.converter of ${target.connector} is ${settingsIn(facts).valueConverter ?? "not set"}`,
      at: "spec.opsFormat",
    });
  },
};
