import { Ajv2020 } from "ajv/dist/2020.js";
import { standalone } from "../../dev/standalone-schemas.ts";

/**
 * Validates printed JSON against a published schema; throws with the mismatches.
 *
 * @param name file under `schemas/`
 */
export function schemaTester(name: string): (printed: string) => void {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: false, formats: { "date-time": true } });
  const validate = ajv.compile(JSON.parse(standalone(name)) as object);
  return (printed) => {
    if (!validate(JSON.parse(printed))) throw new Error(`does not fit ${name}: ${ajv.errorsText(validate.errors)}`);
  };
}
