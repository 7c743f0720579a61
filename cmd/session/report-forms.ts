import { printJson, writeJson } from "../../core/values/json.ts";
import { type Host, textOptions } from "../host.ts";
import { writeNewFile } from "./write-file.ts";

/** What a command found, in every form that it has; each is made when it is asked for. */
export interface ReportForms {
  readonly text: (options: ReturnType<typeof textOptions>) => string;
  readonly markdown: () => string;
  /** The document that is printed as JSON. */
  readonly json: () => unknown;
}

/** As `--format` asks for it. */
export function inForm(format: string, forms: ReportForms, host: Pick<Host, "stdout">): string {
  switch (format) {
    case "json":
      return asJson(forms);
    case "markdown":
      return forms.markdown();
    default:
      return forms.text(textOptions(host.stdout));
  }
}

/** To the standard output: JSON piece by piece, for what may be long. */
export function writeInForm(format: string, forms: ReportForms, { stdout }: Pick<Host, "stdout">): void {
  if (format === "json") {
    writeJson(forms.json(), (piece) => stdout.write(piece));
    stdout.write("\n");
  } else stdout.write(inForm(format, forms, { stdout }));
}

/** Into a new file, as its name asks for it: JSON into one that ends in `.json`, Markdown into any other. */
export async function writeReport(path: string, forms: ReportForms): Promise<void> {
  await writeNewFile(path, path.toLowerCase().endsWith(".json") ? asJson(forms) : forms.markdown());
}

function asJson({ json }: ReportForms): string {
  return `${printJson(json())}\n`;
}
