import { UsageError } from "../../core/errors.ts";
import {
  buildsAmong,
  CONNECTOR_CLASS,
  checkConnectorClass,
  classMissing,
  LEGACY_CLASS,
} from "../../core/legacy/connector-class.ts";
import { otherClass } from "../../core/legacy/follow-ups.ts";
import { translate } from "../../core/legacy/translation.ts";
import { redactConfiguration } from "../../core/redaction/redact.ts";
import { printJson } from "../../core/values/json.ts";
import { lineOf } from "../../core/values/remedy.ts";
import type { Translation } from "../../schemas/generated/facts.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { translateOptions } from "../options/migrate.ts";
import { writeLine } from "../screen.ts";
import {
  type TranslationReport,
  translationDocument,
  translationReport,
  type Validation,
} from "../views/translation.ts";
import { readConfigFile } from "./config-file.ts";
import { refuseExisting } from "./files.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { reported, writeInForm, writeReport } from "./report-forms.ts";
import { writeNewFile } from "./write-file.ts";

type TranslateFlags = Flags<typeof translateOptions>;

/**
 * Runs `migrate translate`. @returns 1 when the input is not the legacy connector's configuration or a worker
 * finds the result invalid, 2 with `--detailed-exitcode` while manual properties remain, else 0
 */
export async function translateFile(flags: TranslateFlags, host: Host): Promise<number> {
  const { input, output, report } = flags;
  await refuseExisting([output, report]);
  const named = flags["connector-class"];
  const { source, translation, isLegacy, validation } =
    flags["connect-url"] === undefined && flags.context === undefined
      ? {
          ...(await translated(flags, named === undefined ? undefined : checkConnectorClass(named), host)),
          validation: undefined,
        }
      : await translatedAndValidated(flags, host);
  const whole: TranslationReport = { source, translation, ...(validation === undefined ? {} : { validation }) };
  if (output !== undefined && isLegacy)
    await writeNewFile(output, `${printJson({ name: translation.name, config: translation.config })}\n`);
  const forms = reported(translationReport, translationDocument, whole, input);
  if (report !== undefined) await writeReport(report, forms, host);
  writeInForm(flags.format, forms, host);
  for (const path of [output, report])
    if (path !== undefined)
      writeLine(
        host.stderr,
        isLegacy || path === report
          ? `wrote ${path}`
          : `${path} is not written: the input is not the legacy connector's configuration`,
      );
  if (!isLegacy) return EXIT.refused;
  if (validation !== undefined && validation.problems.length > 0) return EXIT.refused;
  const manual = translation.properties.some(({ fate }) => fate === "manual");
  return manual && flags["detailed-exitcode"] ? EXIT.somethingToChange : EXIT.done;
}

interface Translated extends Pick<TranslationReport, "source"> {
  readonly translation: Translation;
  /** Whether the input is the legacy connector's configuration. */
  readonly isLegacy: boolean;
}

async function translated(flags: TranslateFlags, connectorClass: string | undefined, host: Host): Promise<Translated> {
  const {
    written: { name, config },
  } = await readConfigFile(flags.input, host);
  const connector = name ?? config["name"]?.trim() ?? "";
  if (connector === "" && (flags.name === undefined || flags["topic-prefix"] === undefined)) {
    throw new UsageError({
      file: flags.input,
      message: "it does not name the legacy connector",
      remedy: "Pass --name and --topic-prefix, or the connector as returned by GET /connectors/NAME.",
    });
  }
  const className = config["connector.class"]?.trim() ?? "";
  if (className === "")
    throw new UsageError({
      file: flags.input,
      message: "it has no connector.class: is it a connector's configuration?",
      remedy: `For the legacy connector it is ${LEGACY_CLASS}.`,
    });
  return {
    source: redactConfiguration(config),
    translation: translate(connector, config, { name: flags.name, topicPrefix: flags["topic-prefix"], connectorClass }),
    isLegacy: otherClass(className).length === 0,
  };
}

/** The translation, for the class named by flag or context, and the errors the workers find in it. */
async function translatedAndValidated(
  flags: TranslateFlags,
  host: Host,
): Promise<Translated & { readonly validation: Validation }> {
  await using world = await openWorld(typedTarget(flags.name ?? "", flags), flags, host);
  const translation = await translated(flags, world.connectorClass, host);
  return { ...translation, validation: await validated(translation.translation, world) };
}

/** The errors the workers find. A masked secret is not a value, so their findings about it are ignored. */
async function validated({ config }: Translation, { connect, connectorClass }: OpenWorld): Promise<Validation> {
  const worker = connect.url;
  const wanted = connectorClass ?? CONNECTOR_CLASS;
  const plugins = await connect.plugins();
  if (!plugins.some(({ className }) => className === wanted)) {
    const { seen, remedies } = classMissing(wanted, buildsAmong(plugins));
    return {
      worker,
      problems: [{ setting: "connector.class", errors: [`the workers have ${seen}`, ...remedies.map(lineOf)] }],
      notJudged: [],
    };
  }
  const found = await connect.validate(wanted, config);
  const masked = (setting: string): boolean => (config[setting] ?? "").includes("********");
  return {
    worker,
    problems: found.filter(({ setting }) => !masked(setting)),
    notJudged: found.map(({ setting }) => setting).filter(masked),
  };
}
