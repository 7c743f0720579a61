import { isStopped } from "../../facts/connector.ts";
import { isEmptyOffset } from "../../facts/stored-offset.ts";
import { canonicalJson } from "../../values/json.ts";
import { maskConfiguration } from "../../values/secret.ts";
import { type RunContext, until } from "../context.ts";
import { untilDefinite } from "./definite-call.ts";
import type { Step, StepResult } from "./step.ts";

type Config = Readonly<Record<string, string>>;

/** A worker may answer for a connector that it has not read back from its own topic yet. */
const READ_BACK_MILLIS = 30_000;

/**
 * Creates the new connector with its start SCN, reads its configuration back and compares it before it runs: STOPPED, where the workers can. What
 * is stored under its name from an earlier life can be seen only now.
 *
 * Rule: specification, "Start, verification and rollback"; reference: Kafka Connect, "Calls" and "Seen on real workers".
 */
export const createConnector: Step<"create-connector"> = {
  name: "create-connector",

  describe: ({ connector, stopped }) =>
    `create ${connector}${stopped ? " STOPPED" : ""}, read its configuration back and compare it`,

  async run({ connector, stopped }, ctx) {
    const config = await configurationToSend(ctx);
    if (typeof config === "string") return { result: "failed", error: config, code: "APL803" };
    const created = await untilDefinite(
      {
        call: `POST connector ${connector}`,
        send: () => ctx.connect.create(connector, config, stopped ? "STOPPED" : undefined),
        // One of the name is somebody else's, unless an attempt of this run may have made it: then it is compared.
        isDone: async () => false,
        obstacle: async () => undefined,
        meansDone: ({ status, message }, doubtful) => doubtful && status === 409 && /already exists/i.test(message),
      },
      ctx,
    );
    if (created.result === "unclear") return created;
    if (created.result === "failed")
      return { result: "failed", error: `Connect did not create ${connector}: ${created.error}`, code: "APL814" };
    return compared(connector, config, stopped, ctx);
  },
};

/** What was fixed when everything was checked again, with the secrets that the journal does not hold. @returns why it can't be sent */
async function configurationToSend(ctx: RunContext): Promise<Config | string> {
  const { takeover } = ctx.state();
  if (takeover === undefined) throw new Error("a connector is created without its start");
  const config = { ...(await ctx.newConfiguration()), "cdc.start.scn": String(takeover.startScn) };
  return canonicalJson(maskConfiguration(config)) === canonicalJson(takeover.configuration)
    ? config
    : "the new connector's configuration is no longer the one that was checked: the legacy connector's, or a file, was changed";
}

/** A connector that is not as it was sent, or resumes from what an earlier one stored, is not started: it is taken back. */
async function compared(connector: string, config: Config, stopped: boolean, ctx: RunContext): Promise<StepResult> {
  const seen = await until(ctx, READ_BACK_MILLIS, async () => {
    const [description, status] = await Promise.all([ctx.connect.connector(connector), ctx.connect.status(connector)]);
    if (description === undefined || status === undefined) return undefined;
    return stopped && !isStopped(status) ? undefined : description;
  });
  if (seen === undefined)
    return {
      result: "unclear",
      why: `${connector} was created, and the workers do not show it${stopped ? " STOPPED" : ""} yet`,
      remedies: ["To look again:  cdcctl recover"],
    };
  const different = changedSettings(config, seen.config);
  if (different.length > 0)
    return {
      result: "failed",
      error: `${connector} was created, and its configuration is not the one that was sent: ${different.join(", ")}`,
      code: "APL814",
    };
  if (!stopped) return { result: "done", note: `${connector} is created, and its configuration is as it was sent` };
  const left = (await ctx.connect.offsets(connector)).filter(({ offset }) => !isEmptyOffset(offset));
  const { plan } = ctx.state().started;
  if (left.length > 0 && plan?.intent.accept.includes("MIG107") !== true)
    return {
      result: "failed",
      error: `offsets of an earlier ${connector} are stored: it would resume from them, and ignore cdc.start.scn`,
      code: "MIG107",
      remedies: [
        "Choose another name, or delete them: create the connector STOPPED, then DELETE its offsets, then it.",
      ],
    };
  return {
    result: "done",
    note: `${connector} is created STOPPED, its configuration is as it was sent${left.length === 0 ? ", nothing is stored under its name" : ""}`,
  };
}

/** The workers add the name; what they hold masked they show masked. */
function changedSettings(sent: Config, seen: Config): readonly string[] {
  const names = new Set([...Object.keys(sent), ...Object.keys(seen)]);
  return [...names].filter((name) => name !== "name" && sent[name] !== seen[name]).sort();
}
