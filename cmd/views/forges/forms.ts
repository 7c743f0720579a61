import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { type ExpectedError, Refusal } from "../../../core/errors.ts";
import { digestOf } from "../../../core/values/digest.ts";
import { escapeHtml, escapeTerminal, urlPart } from "../../../core/values/escape.ts";
import { type Advice, lineOf } from "../../../core/values/remedy.ts";
import { CODES } from "../codes.ts";
import { type Place, placeOf, type Validated } from "../error-text.ts";
import { jsonText } from "../json-text.ts";
import { documentText, type Rendered } from "../rendered.ts";

/** What was judged, and how: one finding of a check, of any kind. The formats of forges show nothing else. */
export interface Judged {
  /** A code of the catalogue, or `INPUT`. */
  readonly code: string;
  /** Empty for what has no title but its text. */
  readonly title: string;
  readonly grade: Grade;
  readonly text: string;
  readonly remedies: readonly Advice[];
  /** What it is about: a document, a connector, a file. */
  readonly subject: string;
  readonly place?: Place | undefined;
  /** What of the subject, if one of its keys decides it: `spec.allowSkip`. */
  readonly path?: string | undefined;
}

export type Grade = "error" | "warning" | "accepted" | "passed";

/** The rule of what can't be read as it has to be; it has no page in the catalogue. */
export const INPUT = "INPUT";

/** Documents that are valid, or what is wrong with them. */
export function judgedInput(validated: Validated): readonly Judged[] {
  if ("problems" in validated) return judgedError(validated, "validate");
  return validated.map(({ kind, metadata: { name }, target: { connector }, origin: { file } }) => ({
    ...{ code: INPUT, title: "", grade: "passed", remedies: [], subject: name },
    text: `${kind} ${name} for ${connector} is valid`,
    place: { file },
  }));
}

/** What an error says, a problem each. @param subject the command, for an error without a place */
export function judgedError(error: ExpectedError, subject: string, place?: Place): readonly Judged[] {
  if ("problems" in error)
    return error.problems.map(({ message: text, remedy, file, line, column }) => ({
      ...{ code: INPUT, title: "", grade: "error", text, subject: file ?? subject },
      remedies: remedy === undefined ? [] : [remedy],
      place: file === undefined ? place : { file, line, column },
    }));
  // The code of what could not be observed.
  const code = error instanceof Refusal ? error.code : "APL820";
  const { message: text, remedies } = error;
  return [{ code, title: "", grade: "error", text, remedies, subject, place }];
}

/** What was judged by one command, with its paths as the repository has them. */
export interface Judgement {
  /** `plan` */
  readonly command: string;
  readonly version: string;
  readonly judged: readonly Judged[];
}

/** The formats for what reads findings and nothing else. A new format is a row here and its renderer. */
export const FORGE_FORMS: { readonly [form: string]: (judgement: Judgement) => Rendered } = {
  sarif: (judgement) => jsonText(sarif(judgement)),
  junit: junit,
};

const SITE = "https://cdcctl.dev";

/** What a rule of the catalogue says; of what is not in it, what holds of every file. */
function ruleOf(code: string) {
  const { title, problem, remedy } = CODES.find((page) => page.code === code) ?? {
    title: "A file can be read, and says what it must",
    problem: "What is not understood is not planned.",
    remedy: "Each problem names the line, and what to write there.",
  };
  const page = code === INPUT ? "plan-files.md" : `checks.md#${code.toLowerCase()}`;
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: problem },
    help: { text: `${problem}\nWhat to do: ${remedy}` },
    helpUri: `${SITE}/docs/${page}`,
  };
}

/** SARIF 2.1.0. What passed is in its rules only. */
function sarif({ command, version, judged }: Judgement) {
  const codes = [...new Set(judged.map(({ code }) => code))].sort();
  const found = judged.filter(({ grade }) => grade !== "passed");
  const prints = fingerprints(found);
  const results = found.map((one, at) => ({
    ruleId: one.code,
    ruleIndex: BigInt(codes.indexOf(one.code)),
    level: one.grade === "accepted" ? "note" : one.grade,
    message: { text: saidOf(one).join("\n") },
    locations: [locationOf(one)],
    partialFingerprints: { "cdcctlFinding/v1": prints[at] },
    // Each result of a log that suppresses anything has to say so.
    suppressions: one.grade === "accepted" ? [ACCEPTED] : [],
  }));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "cdcctl", version, informationUri: SITE, rules: codes.map(ruleOf) } },
        automationDetails: { id: `cdcctl/${command}/` },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
}

const ACCEPTED = { kind: "inSource", justification: "spec.accept of the plan file names it" } as const;

function locationOf({ place, subject, path }: Judged) {
  const logicalLocations = [{ name: escapeTerminal(subject), fullyQualifiedName: path }];
  if (place?.file === undefined || place.file === "-") return { logicalLocations };
  const { file, line, column } = place;
  const region = line === undefined ? undefined : { startLine: BigInt(line), startColumn: column && BigInt(column) };
  return { physicalLocation: { artifactLocation: artifact(file), region }, logicalLocations };
}

/** A file of the repository, relative to its root, or any other. */
function artifact(file: string) {
  if (isAbsolute(file)) return { uri: pathToFileURL(file).href };
  return { uri: file.split("/").map(urlPart).join("/"), uriBaseId: "%SRCROOT%" };
}

/** What was found, and what can be done about it; each a line, in which nothing is a link: `[text](target)`. */
function saidOf({ text, remedies }: Judged): readonly string[] {
  return [text, ...remedies.map(lineOf)].map((one) => escapeTerminal(one).replaceAll("](", "] ("));
}

/**
 * What stays the same when lines move and numbers change: the check, the file, and what in it. What an error says of a
 * file is all that tells it from another. Equal ones are counted.
 */
function fingerprints(judged: readonly Judged[]): readonly string[] {
  const seen = new Map<string, number>();
  return judged.map(({ code, subject, place, path, text }) => {
    const what = [code, subject, place?.file ?? null, path ?? null, code === INPUT ? text : null];
    const print = JSON.stringify(what);
    const before = seen.get(print) ?? 0;
    seen.set(print, before + 1);
    return digestOf([...what, String(before)]).slice("sha256:".length);
  });
}

/** JUnit's XML, as its readers agree on it: a suite each document, a case each check. */
function junit({ command, judged }: Judgement): Rendered {
  const subjects = [...new Set(judged.map(({ subject }) => subject))];
  const suites = subjects.map((subject) => {
    const own = judged.filter((one) => one.subject === subject);
    return [`  <testsuite ${attributes({ name: subject, ...counts(own) })}>`, ...own.map(caseOf), "  </testsuite>"];
  });
  return documentText(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites ${attributes({ name: `cdcctl ${command}`, ...counts(judged) })}>`,
      ...suites.flat(),
      "</testsuites>\n",
    ].join("\n"),
  );

  function caseOf(finding: Judged): string {
    const { code, title, subject, grade, place } = finding;
    const name = attributes({
      ...{ classname: `cdcctl.${command}.${subject}`, name: `${code} ${title === "" ? finding.text : title}` },
      ...{ file: place?.file, line: place?.line },
    });
    const where = placeOf(place ?? {});
    const [first = "", ...more] = saidOf(finding);
    const said = [where === undefined ? first : `${where}: ${first}`, ...more].map(xml).join("\n");
    const about = attributes({ message: finding.text, type: code });
    const inside = {
      error: `<failure ${about}>${said}</failure>`,
      accepted: `<skipped ${attributes({ message: `accepted by the plan file: ${finding.text}` })}/>`,
      warning: `<system-out>warning: ${said}</system-out>`,
      passed: "",
    }[grade];
    return `    <testcase ${name}>${inside}</testcase>`;
  }
}

function counts(judged: readonly Judged[]) {
  const of = (grade: Grade) => judged.filter((one) => one.grade === grade).length;
  return { tests: judged.length, failures: of("error"), errors: 0, skipped: of("accepted") };
}

function attributes(of: { readonly [name: string]: string | number | bigint | undefined }): string {
  return Object.entries(of)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${xml(String(value))}"`]))
    .join(" ");
}

/** A line for XML 1.0, which has no form for some characters, not even as a reference. */
function xml(text: string): string {
  return escapeHtml(text).replace(/[\ufffe\uffff]/g, "\ufffd");
}

const SEVERITIES = { error: "critical", warning: "minor", accepted: "info" } as const;

/** GitLab's code quality report: what has a place in a file. */
export function codeQuality({ judged }: Judgement): Rendered {
  const prints = fingerprints(judged);
  return jsonText(
    judged.flatMap((finding, index) => {
      const { grade, place, code } = finding;
      if (grade === "passed" || place?.file === undefined || place.file === "-") return [];
      return [
        {
          description: `${code}: ${saidOf(finding).join("\n")}`,
          check_name: code,
          fingerprint: prints[index],
          severity: SEVERITIES[grade],
          location: { path: place.file, lines: { begin: BigInt(place.line ?? 1) } },
        },
      ];
    }),
  );
}
