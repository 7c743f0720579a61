import { Refusal, UsageError } from "../../../core/errors.ts";
import { connectorNamed, offsetsIfAny } from "../../../core/kinds/connector/observe.ts";
import { installedVersion } from "../../../core/kinds/migration/debezium/installed-version.ts";
import { configurationFor } from "../../../core/kinds/migration/new-connector.ts";
import { legacyKindOf } from "../../../core/legacy/legacy-kind.ts";
import { notTheLegacyOne } from "../../../core/legacy/takeover.ts";
import { translate } from "../../../core/legacy/translation.ts";
import type { CutoverRequest } from "../../../core/verification/cutover/request.ts";
import type { Flags } from "../../options/common.ts";
import type { verifyOptions } from "../../options/migrate.ts";
import type { OpenWorld } from "../open-world.ts";

/**
 * A legacy connector that is audited. Database, brokers and columns are those that its translation names, completed
 * with the operator's file: what a migration would read of it.
 *
 * @throws Refusal LEG001 for any other connector: no login is used for it
 */
export async function audited(name: string, { connect, sources }: Pick<OpenWorld, "connect" | "sources">) {
  const { config } = await connectorNamed(name, connect);
  const problem = notTheLegacyOne({ name, connectorClass: config["connector.class"], config });
  if (problem !== undefined) throw new Refusal(problem.code, problem.seen, problem.remedies);
  const offsets = await offsetsIfAny(name, connect);
  const kind = legacyKindOf(config, offsets);
  if (kind === undefined)
    throw new Refusal("LEG001", `the stored offsets of ${name} are another connector's than its class says`, []);
  const to = {
    name: `${name}-new`,
    config: {},
    topics: kind.topics.notKept === undefined ? ("keep" as const) : ("new" as const),
  };
  const translation = translate(name, config, { ...to, installed: await installedVersion(config, connect) });
  const { body, settings } = await configurationFor({ to }, translation, sources);
  const request = {
    config: body,
    legacyConfig: config,
    legacyConnector: name,
    audited: { ...kind, name, config, offsets },
  } satisfies Partial<CutoverRequest>;
  return { request, settings };
}

/** @throws UsageError for options that say what the legacy connector of a cutover is */
export function refuseOfCutover(flags: Flags<typeof verifyOptions>): void {
  const given = (["legacy-config", "legacy-topic"] as const).find((name) => flags[name] !== undefined);
  if (given !== undefined)
    throw new UsageError(
      `--${given} does not go with --audit: the connector that is audited is the legacy one`,
      "Leave it out; --table OWNER.TABLE=TOPIC names the topic.",
    );
}
