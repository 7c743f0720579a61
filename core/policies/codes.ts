/** What the findings of rules are found as. */
export const POLICY_CODES = [
  {
    code: "POL101",
    title: "A policy denies the change",
    problem:
      "A rule of `--policy`, or of the context's `policies`, refuses this plan; its file and line are named. Rules " +
      "are evaluated when planning, and again before the first change.",
    remedy:
      "Change the plan file as the rule says, or ask the owner of the policies. `spec.accept` accepts it only where " +
      "the rule asks for that.",
  },
  {
    code: "POL102",
    title: "A policy warns of the change",
    problem: "A rule of `--policy`, or of the context's `policies`, has something to say about this plan.",
    remedy: "Read its message before you approve the plan.",
  },
  {
    code: "POL103",
    title: "A policy could not be evaluated",
    problem:
      "A rule asks for a member that this plan does not have, results in something else than true or false, or takes " +
      "too long. What it would have said is unknown, so the change is refused.",
    remedy: "Correct the rule, and test it with `cdcctl policy test DIR`.",
  },
];
