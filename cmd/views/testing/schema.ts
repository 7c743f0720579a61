import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

/**
 * Validates printed JSON against a published schema; throws with the mismatches.
 *
 * @param name file under `schemas/`
 */
export function schemaTester(name: string): (printed: string) => void {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: false, formats: { "date-time": true } });
  for (const other of ["plan.schema.json", "run.schema.json", "run-journal.schema.json", "error.schema.json"])
    if (name !== other) ajv.addSchema(read(other));
  const validate = ajv.compile(read(name));
  return (printed) => {
    if (!validate(JSON.parse(printed))) throw new Error(`does not fit ${name}: ${ajv.errorsText(validate.errors)}`);
  };
}

function read(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../../schemas/${name}`, import.meta.url), "utf8")) as object;
}
