import { writeJson } from "../../core/values/json.ts";
import { type Host, textOptions, VERSION } from "../host.ts";
import { jsonText } from "../views/json-text.ts";
import { documentText, type Rendered } from "../views/rendered.ts";
import { FORMS } from "../views/report/forms.ts";
import type { Report, Reports } from "../views/report/model.ts";
import { writeNewFile } from "./write-file.ts";

/** What a command reports, and the document that is printed as JSON; each is made when it is asked for. */
export interface Reported {
  readonly reports: () => Reports;
  readonly json: () => unknown;
}

/** @param report what a command reports by itself */
export function reported(report: () => Report, json: () => unknown): Reported {
  return { reports: () => ({ what: "report", reports: [report()] }), json };
}

/** As `--format` asks for it. */
export function inForm(format: string, { reports, json }: Reported, { stdout }: Pick<Host, "stdout">): Rendered {
  const form = Object.hasOwn(FORMS, format) ? FORMS[format as keyof typeof FORMS] : undefined;
  return form === undefined ? jsonText(json()) : form(reports(), { ...textOptions(stdout), version: VERSION });
}

/** To the standard output: JSON piece by piece, for it may be long. */
export function writeInForm(format: string, shown: Reported, { stdout }: Pick<Host, "stdout">): void {
  if (format === "json") {
    writeJson(shown.json(), (piece) => stdout.write(documentText(piece)));
    stdout.write(documentText("\n"));
  } else stdout.write(inForm(format, shown, { stdout }));
}

/** Into a new file, as its name asks for it: JSON into `.json`, a page into `.html`, Markdown into any other. */
export async function writeReport(path: string, shown: Reported, host: Pick<Host, "stdout">): Promise<void> {
  const [, ending = ""] = /\.(json|html)$/i.exec(path) ?? [];
  const format = ending === "" ? "markdown" : ending.toLowerCase();
  await writeNewFile(path, inForm(format, shown, host));
}
