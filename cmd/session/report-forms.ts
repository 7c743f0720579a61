import { writeJson } from "../../core/values/json.ts";
import { type Host, textOptions } from "../host.ts";
import { jsonText } from "../views/json-text.ts";
import type { Markdown } from "../views/markdown.ts";
import { documentText, type Rendered } from "../views/rendered.ts";
import { writeNewFile } from "./write-file.ts";

/** What a command found, in every form that it has; each is made when it is asked for. */
export interface ReportForms {
  readonly text: (options: ReturnType<typeof textOptions>) => Rendered;
  readonly markdown: () => Markdown;
  /** The document that is printed as JSON. */
  readonly json: () => unknown;
}

/** As `--format` asks for it. */
export function inForm(format: string, forms: ReportForms, host: Pick<Host, "stdout">): Rendered {
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
    writeJson(forms.json(), (piece) => stdout.write(documentText(piece)));
    stdout.write(documentText("\n"));
  } else stdout.write(inForm(format, forms, { stdout }));
}

/** Into a new file, as its name asks for it: JSON into one that ends in `.json`, Markdown into any other. */
export async function writeReport(path: string, forms: ReportForms): Promise<void> {
  await writeNewFile(path, path.toLowerCase().endsWith(".json") ? asJson(forms) : forms.markdown());
}

function asJson({ json }: ReportForms): Rendered {
  return jsonText(json());
}
