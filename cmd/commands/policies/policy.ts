import { command, group } from "../../command.ts";
import { policyTestOptions, policyTestPositional } from "../../options/policies/policy.ts";
import { loaded } from "../loaded.ts";

const test = command({
  usage: "test <dir>",
  describe: "Hold the rules of a folder against the plans recorded beside them; asks no system",
  positionals: policyTestPositional,
  options: policyTestOptions,
  examples: [
    ["test policies", "every rule, with RULE.pass.json, RULE.deny.json, RULE.warn.json beside RULE.yaml"],
    ["test policies --format json", "for a pipeline"],
  ],
  run: loaded(async () => (await import("../../session/policies/test-policies.ts")).testPolicies),
});

export const policy = group("policy <command>", "Test the rules that plans are held against", [test]);
