import { existsSync } from "node:fs";
import type { Target } from "../../../core/document/intent.ts";
import type { Policies } from "../../../core/policies/policies.ts";
import type { Rule } from "../../../core/policies/policy.ts";
import { openContexts } from "../../../providers/contexts/contexts.ts";
import { judgingThread } from "../../../providers/policies/judge-in-thread.ts";
import { demandOwn } from "../../../providers/who-may-write.ts";
import type { Host } from "../../host.ts";
import type { Flags } from "../../options/common.ts";
import type { policyOption } from "../../options/policies/policy.ts";
import { warningsTo, writeLine } from "../../screen.ts";
import type { WorldFlags } from "../open-world.ts";
import { homeOf } from "../places.ts";

/** The thread beside the built programs; for the sources, the one that was built of them. */
const BESIDE = new URL("./policy-thread.js", import.meta.url);
const BUILT = new URL("../../../dist/policy-thread.js", import.meta.url);

/** Evaluates rules in a thread. */
export const judgeInThread = () => judgingThread(existsSync(BESIDE) ? BESIDE : BUILT);

export type PolicyFlags = WorldFlags & Partial<Flags<typeof policyOption>>;

/**
 * The rules for plans at a target: those of its context, or of every context with its URL, and those of `--policy`.
 *
 * @throws UsageError for a rule that can't be read; Refusal `STA702` if another user may write the rules of a context
 */
export async function policiesFor(target: Target, flags: PolicyFlags, host: Host): Promise<Policies> {
  const warn = warningsTo(host);
  const contexts = await openContexts({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
  const url = flags["connect-url"] ?? target.connectUrl;
  const names = await contexts.namesAt(flags.context ?? target.context, url === undefined ? [] : [url]);
  const own = names.flatMap(contexts.policiesOf);
  const decide = [...own];
  const rules: Rule[] = [];
  for (const folder of new Set([...own, ...(flags.policy ?? [])])) {
    const { readPolicies } = await import("../../../providers/policies/read-policies.ts");
    for (const rule of await readPolicies(folder)) {
      rules.push(rule);
      if (own.includes(folder)) decide.push(rule.file);
    }
  }
  for (const warning of await demandOwn(decide, host.env)) warn(warning);
  return { rules, judge: judgeInThread() };
}

/** The same for several targets: each place is read once. */
export function policiesOfEach(flags: PolicyFlags, host: Host): (target: Target) => Promise<Policies> {
  const read = new Map<string, Promise<Policies>>();
  return ({ context, connectUrl, ...target }) => {
    const place = JSON.stringify([context, connectUrl]);
    const known = read.get(place) ?? policiesFor({ ...target, context, connectUrl }, flags, host);
    read.set(place, known);
    return known;
  };
}

/**
 * The rules for a change of an `admin` command: those of its context. With a URL it is at no context, and bypasses
 * them, which is said where there are any.
 */
export async function policiesOfAdmin(target: Target, flags: WorldFlags, host: Host): Promise<Policies | undefined> {
  if (flags["connect-url"] === undefined) return await policiesFor(target, flags, host);
  const { rules } = await policiesFor(target, flags, host);
  if (rules.length > 0)
    writeLine(
      host.stderr,
      "note: --connect-url bypasses the policies of the context with this URL; --context uses them",
    );
  return undefined;
}
