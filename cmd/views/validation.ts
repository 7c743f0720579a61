import type { Intent } from "../../core/document/intent.ts";
import type { UsageError } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { errorDocument, placeOf } from "./error-text.ts";
import { code, list, RANK, type Report, section, tableOf } from "./report/model.ts";

/** The result of reading plan files: either every document is valid, or the problems. */
export type Validated = readonly Intent[] | UsageError;

export function validationReport(validated: Validated): Report {
  const isValid = !("problems" in validated);
  const rows = isValid
    ? list(
        validated.map(
          ({ kind, metadata: { name }, target, origin: { file } }) =>
            `${file}: ${kind} ${name} for ${target.connector} is valid`,
        ),
        "document",
        { sign: "" },
      )
    : [
        tableOf("Problems", validated.problems, { what: "problem", extent: "some" }, [
          ["Place", ({ file = "-", ...at }) => code(placeOf({ file, ...at }) ?? file)],
          ["Problem", ({ message }) => message, { wraps: true }],
          ["Remedy", ({ remedy }) => (remedy === undefined ? "" : lineOf(remedy)), { wraps: true }],
        ]),
      ];
  return {
    heading: {
      title: "The plan files",
      ...(isValid ? { terminal: "no title" } : {}),
      outcome: isValid ? { word: "valid", mark: "good" } : { word: "not valid", mark: "bad" },
    },
    sections: section(RANK.subject, rows, { flush: true }),
  };
}

export function validationDocument(validated: Validated) {
  const base = { apiVersion: "cdcctl/v1", kind: "Validation" } as const;
  if ("problems" in validated) {
    const shown = errorDocument(validated);
    return { ...base, valid: false, documents: [], problems: "problems" in shown ? shown.problems : [] };
  }
  const documents = validated.map(({ kind, metadata: { name }, target: { connector }, origin: { file } }) => ({
    kind,
    name,
    connector,
    file,
  }));
  return { ...base, valid: true, documents, problems: [] };
}
