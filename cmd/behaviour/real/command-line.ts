import * as assert from "uvu/assert";
import type { Json, JsonObject } from "../../../core/values/json.ts";
import type { Properties } from "../../../providers/real/broker.ts";
import type { Held } from "./gateway.ts";
import { type Ended, type Machine, newMachine, type Running } from "./machine.ts";
import type { Transcript } from "./transcript.ts";
import type { World } from "./world.ts";

/** Asserts the exit code, or throws with the whole output. @returns what has ended */
export function is(ended: Ended, wanted: number): Ended {
  const { code, stdout, stderr } = ended;
  assert.is(code, wanted, `exit ${code}, not ${wanted}:\n${stdout}\n${stderr}`);
  return ended;
}

/** Asserts these members of a document. */
export function isAll(document: JsonObject, wanted: Readonly<Record<string, Json>>): void {
  for (const [name, value] of Object.entries(wanted)) assert.equal(document[name], value, name);
}

/** Asserts that either stream contains these words, ignoring line breaks. */
export function expectOutput({ stdout, stderr }: Ended, words: string): void {
  assert.match(`${stdout}\n${stderr}`.replace(/\s+/g, " "), words);
}

/** Waits for something, and fails if the command ends before. */
export async function first(reached: Promise<void>, ended: Promise<Ended>): Promise<void> {
  const early = await Promise.race([reached.then(() => undefined), ended]);
  if (early !== undefined) throw new Error(`it has ended with ${early.code}:\n${early.stdout}\n${early.stderr}`);
}

/** Kills a command at a call that is held: on its way back it has taken effect. */
export async function killedAt(held: Held, { ended, signal }: Running): Promise<void> {
  await first(held.reached, ended);
  signal("SIGKILL");
  assert.is((await ended).code, undefined);
  held.drop();
}

/** The operator's contexts file, with one context `here`. */
export function contextsFor(...urls: readonly string[]): Readonly<Record<string, string>> {
  const workers = urls.length === 1 ? `url: ${urls[0]}` : `urls: [${urls.join(", ")}]`;
  return { ".config/cdcctl/contexts.yaml": `contexts:\n  here:\n    connect:\n      ${workers}\n` };
}

/** An operator's machine whose context leads to a worker of the world, or to what is before it. */
export function machineAt(
  { folder, connectUrl }: World,
  url = connectUrl,
  log?: Transcript,
  environment: Properties = {},
): Promise<Machine> {
  return newMachine(folder, contextsFor(url), { environment, ...(log === undefined ? {} : { hear: log.hear }) });
}

/** A plan file for a connector of the context `here`. */
export function planFile(connector: string, ...spec: readonly string[]): string {
  return fileOf("OffsetChange", connector, "replay after the bad deploy", spec);
}

/** The same, to snapshot tables again. */
export function resnapshotFile(connector: string, ...spec: readonly string[]): string {
  return fileOf("Resnapshot", connector, "archived logs purged", spec);
}

function fileOf(kind: string, connector: string, reason: string, spec: readonly string[]): string {
  return `apiVersion: cdcctl/v1
kind: ${kind}
metadata:
  name: ${connector}
  reason: ${reason}
target:
  context: here
  connector: ${connector}
spec:
  ${spec.join("\n  ")}
`;
}
