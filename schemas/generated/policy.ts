// Generated from policy.schema.json by npm run types. Edit the schema, not this file.

/**
 * A rule on plans, one in each file of a folder: `cdcctl plan --policy DIR`, `policies` of a context. Expressions are CEL over `plan`, the plan as `cdcctl plan --format json` prints it, and `now`, a timestamp. Whole numbers are integers of full width.
 */
export interface Policy {
  /**
   * What the rule demands, in one line.
   */
  readonly title: string;
  /**
   * A condition on the plans that the rule is about; without it, it is about every plan.
   */
  readonly when?: string | undefined;
  /**
   * A condition. Where it is true, the plan is refused.
   */
  readonly deny?: string | undefined;
  /**
   * A condition. Where it is true, the plan carries a warning.
   */
  readonly warn?: string | undefined;
  /**
   * What to do about it, for the person whose plan is refused.
   */
  readonly message: string;
}
