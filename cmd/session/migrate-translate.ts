import { UsageError } from "../../core/errors.ts";
import type { SettingProblem } from "../../core/facts/connector.ts";
import { CONNECTOR_CLASS } from "../../core/legacy/rules.ts";
import { type Translation, translate } from "../../core/legacy/translation.ts";
import { printJson } from "../../core/values/json.ts";
import { readConnectorConfig } from "../../providers/contexts/connector-config.ts";
import { EXIT } from "../command.ts";
import { type Host, textOptions } from "../host.ts";
import { renderTranslationMarkdown, renderTranslationText, translationDocument } from "../views/translation.ts";
import { replaceFile } from "./files.ts";
import { openWorld, type WorldFlags } from "./open-world.ts";

export type TranslateFlags = WorldFlags & {
  readonly input: string;
  readonly output: string | undefined;
  readonly report: string | undefined;
  readonly "topic-prefix": string | undefined;
  readonly name: string | undefined;
  readonly "detailed-exitcode": boolean;
  readonly format: string;
};

/** `migrate translate`. @returns 1 when a worker finds the result invalid, 2 with `--detailed-exitcode` while manual properties remain, else 0 */
export async function translateFile(flags: TranslateFlags, host: Host): Promise<number> {
  const read = await readConnectorConfig(flags.input, { resolveReferences: false, env: host.env });
  const connector = read.name ?? read.config["name"];
  if (connector === undefined && (flags.name === undefined || flags["topic-prefix"] === undefined)) {
    throw new UsageError({
      file: flags.input,
      message: "it does not say the legacy connector's name",
      remedy: "Give --name and --topic-prefix, or the connector as GET /connectors/NAME answers it.",
    });
  }
  const translation = translate(connector ?? flags.name ?? "", read.config, {
    name: flags.name,
    topicPrefix: flags["topic-prefix"],
  });
  const problems = flags["connect-url"] === undefined ? undefined : await validated(translation, flags, host);
  if (flags.output !== undefined)
    await replaceFile(flags.output, `${printJson({ name: translation.name, config: translation.config })}\n`);
  if (flags.report !== undefined) {
    const json = flags.report.toLowerCase().endsWith(".json");
    await replaceFile(
      flags.report,
      json
        ? `${printJson(translationDocument(translation, problems))}\n`
        : renderTranslationMarkdown(translation, problems),
    );
  }
  host.stdout.write(rendered(flags.format, translation, problems, host));
  for (const path of [flags.output, flags.report]) if (path !== undefined) host.stderr.write(`wrote ${path}\n`);
  if (problems !== undefined && problems.length > 0) return EXIT.refused;
  const manual = translation.properties.some(({ fate }) => fate === "manual");
  return manual && flags["detailed-exitcode"] ? EXIT.somethingToChange : EXIT.done;
}

function rendered(
  format: string,
  translation: Translation,
  problems: readonly SettingProblem[] | undefined,
  host: Host,
): string {
  switch (format) {
    case "json":
      return `${printJson(translationDocument(translation, problems))}\n`;
    case "markdown":
      return renderTranslationMarkdown(translation, problems);
    default:
      return renderTranslationText(translation, problems, textOptions(host.stdout));
  }
}

/** What a worker finds wrong. Masked secrets are no values: what it says of them is left out. */
async function validated(
  translation: Translation,
  flags: TranslateFlags,
  host: Host,
): Promise<readonly SettingProblem[]> {
  const target = { context: undefined, connectUrl: undefined, connector: translation.name };
  const world = await openWorld(target, flags, host);
  try {
    const plugins = await world.connect.plugins();
    if (!plugins.some(({ className }) => className === CONNECTOR_CLASS))
      return [
        {
          setting: "connector.class",
          errors: [`the workers at ${world.connect.url} have no ${CONNECTOR_CLASS} installed`],
        },
      ];
    const config = { ...translation.config, name: translation.name };
    return await world.connect.validate(CONNECTOR_CLASS, config);
  } finally {
    await world.close();
  }
}
