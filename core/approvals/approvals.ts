import type { CountedApproval, Statement } from "../../schemas/generated/shared.ts";
import { Refusal } from "../errors.ts";
import { listDetail } from "../facts/ops/ops-event.ts";
import { counted, showCount } from "../values/amounts.ts";
import { type Digest, digestOf } from "../values/digest.ts";
import { printDuration } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { canonicalJson } from "../values/json.ts";
import type { Advice } from "../values/remedy.ts";
import { shellFile, shellOption } from "../values/shell-word.ts";
import { truncate } from "../values/truncate.ts";

/** The use that the signatures are for: one made for another use does not count. */
export const NAMESPACE = "cdcctl-approval";

/** What a context asks for before a change. */
export interface ApprovalPolicy {
  readonly context: string;
  readonly required: number;
  /** Path of the allowed_signers file. */
  readonly signers: string;
  /** Whether each has to be by another principal, with another key. */
  readonly distinct: boolean;
  /** Whether whoever applies signs as well, and is none of those who approve. */
  readonly operatorSigns: boolean;
}

/** What is about to be applied, as a statement names it. */
export type Subject = Pick<Statement, "decision" | "approval" | "contexts">;

/** An approval that was found, in a file or made by `apply --key`, and what the look at it gave. */
export type Checked = { readonly from: string; readonly of: CountedApproval["of"] } & (
  | Pick<CountedApproval, "approval" | "key">
  | { readonly why: string }
);

/** How far the clocks of those who approve and apply may differ, milliseconds. */
const CLOCK_SKEW_MILLIS = 5 * 60_000;

/** The bytes that are signed, as text. */
export function signedText(statement: Statement): string {
  return canonicalJson(statement);
}

/** Why a statement does not approve this, whoever has signed it; undefined: it does. The first reason counts. */
export function faultIn(statement: Statement, subject: Subject, now: Instant): string | undefined {
  const { decision, approval, contexts, by, at, expires } = statement;
  const early = millisBetween(now, at);
  const late = millisBetween(expires, now);
  if (decision !== subject.decision) return `${by} approves another decision, ${decision}`;
  if (contexts.join("\n") !== subject.contexts.join("\n"))
    return `${by} approves it for ${contextsText(contexts)}, and not for ${contextsText(subject.contexts)}`;
  if (approval !== subject.approval) return `${by} approves this decision in another place, ${approval}`;
  if (early > CLOCK_SKEW_MILLIS)
    return `it is dated ${at}, ${printDuration(early)} in the future of this machine's clock`;
  if (late >= 0) return `${by}'s approval expired ${expires}, ${printDuration(late)} ago`;
  return millisBetween(at, expires) <= 0 ? `it expires before it was signed` : undefined;
}

function contextsText(contexts: readonly string[]): string {
  return contexts.length === 0 ? "no context" : contexts.join(", ");
}

/** What of the approvals found counts for a policy, and why the others don't. */
export interface Judgement {
  readonly counted: readonly CountedApproval[];
  readonly others: readonly { readonly from: string; readonly why: string }[];
}

/**
 * Judges approvals by a policy. What `apply` signs is the operator's own, and never counts as an approval of somebody
 * else.
 */
export function judge(checked: readonly Checked[], { distinct }: Pick<ApprovalPolicy, "distinct">): Judgement {
  const counts: CountedApproval[] = [];
  const others: { from: string; why: string }[] = [];
  // The operator's own first: whoever applies is none of those who approve.
  for (const entry of [...checked].sort((a, b) => Number(b.of === "operator") - Number(a.of === "operator"))) {
    const { from } = entry;
    if ("why" in entry) {
      others.push({ from, why: entry.why });
      continue;
    }
    const { approval, key } = entry;
    const { by } = approval.statement;
    const same = counts.find(({ of: earlier, key: itsKey, approval: { statement } }) => {
      const byName = (distinct || earlier === "operator") && statement.by.toLowerCase() === by.toLowerCase();
      return itsKey === key || byName;
    });
    if (same === undefined) counts.push({ of: entry.of, key, approval });
    else others.push({ from, why: sameAs(same, by, key) });
  }
  return { counted: counts, others };
}

function sameAs({ of, key: earlier, approval }: CountedApproval, by: string, key: string): string {
  if (of === "operator") return `${by} is who applies, by name or key`;
  return earlier === key
    ? `its key counts already, for ${approval.statement.by}`
    : `${by} counts already, with another key`;
}

/**
 * @param plan the file to approve, where there is one
 * @throws Refusal `APL825` when fewer approvals count than the context asks for, or the operator has not signed
 */
export function demandEnough(
  { counted: counts, others }: Judgement,
  { context, required, operatorSigns, signers }: ApprovalPolicy,
  how: { readonly plan: string | undefined; readonly folder: string | undefined },
): void {
  const approvers = signersIn(counts, "approver");
  const signs = !operatorSigns || signersIn(counts, "operator").length > 0;
  const missing: string[] = [];
  if (approvers.length < required)
    missing.push(
      `the context ${context} needs ${counted(required, "approval")}, and ${
        approvers.length === 0 ? "none counts" : `${showCount(approvers.length)} counts: ${approvers.join(", ")}`
      }`,
    );
  if (!signs) missing.push(`the context ${context} needs the signature of whoever applies`);
  if (missing.length === 0) return;
  throw new Refusal("APL825", missing.join("; "), [
    ...others.map(({ from, why }) => `Not counted: ${from}: ${why}.`),
    ...(approvers.length < required ? waysToApprove(context, how) : []),
    ...(signs ? [] : [{ text: "Sign with a key of your own", setting: "--key ~/.ssh/id_ed25519" }]),
    `Who may sign is in ${signers}.`,
  ]);
}

function signersIn(approvals: readonly CountedApproval[], of: CountedApproval["of"]): readonly string[] {
  return approvals.flatMap((one) => (one.of === of ? [one.approval.statement.by] : []));
}

function waysToApprove(
  context: string,
  { plan, folder }: { readonly plan: string | undefined; readonly folder: string | undefined },
): readonly Advice[] {
  const save: Advice = { text: "Save the plan", command: "cdcctl plan FILE --out PLAN.json" };
  return [
    ...(plan === undefined ? [save] : []),
    {
      text: "Have it approved by somebody else",
      command: `cdcctl approve ${plan === undefined ? "PLAN.json" : shellFile(plan)} ${shellOption(
        "--context",
        context,
      )} --key ~/.ssh/id_ed25519`,
    },
    folder === undefined
      ? { text: "Then name the folder with the approvals", setting: "--approvals DIR" }
      : `Put the file that it writes into ${folder}.`,
  ];
}

/** The approvals that a run begins with. */
export type Approvals = readonly CountedApproval[];

/**
 * A question may wait for long.
 *
 * @returns undefined for none. @throws Refusal `APL825` when one has expired meanwhile
 */
export function refuseExpired(approvals: Approvals | undefined, now: Instant): Approvals | undefined {
  const late = approvals?.find(({ approval }) => millisBetween(approval.statement.expires, now) >= 0)?.approval
    .statement;
  if (late !== undefined)
    throw new Refusal("APL825", `${late.by}'s approval expired ${late.expires}, before the change was begun`, [
      "Have it approved again.",
    ]);
  return approvals?.length === 0 ? undefined : approvals;
}

/** `ana@example.com`, `eve@example.com, who applied it`. */
export function signerText({ of, approval }: CountedApproval): string {
  const { by } = approval.statement;
  return of === "operator" ? `${by}, who applied it` : by;
}

/**
 * The limit of the names in an ops event, characters; `growth` of the estimate of its size (OPS checks) is for them.
 */
const MOST_NAMES = 1000;

/** Details of the ops event: who approved, and a digest over what they signed. */
export function approvalDetails(approvals: readonly CountedApproval[] | undefined): {
  readonly approved_by?: string;
  readonly approvals?: Digest;
} {
  if (approvals === undefined || approvals.length === 0) return {};
  return {
    approved_by: truncate(listDetail(approvals.map(({ approval }) => approval.statement.by)), MOST_NAMES),
    approvals: digestOf(approvals.map(({ approval }) => approval)),
  };
}

/** What `cdcctl explain` says of the codes of approvals. */
export const APPROVAL_REFUSALS = [
  {
    code: "APL825",
    title: "Approvals are missing",
    problem:
      "The context says how many people have to approve a change before `apply` begins it, and whether whoever " +
      "applies has to sign as well. Counted are approvals of this decision in this place, not expired, each signed " +
      "by a principal of the context's allowed_signers file.",
    remedy:
      "Have the saved plan approved (`cdcctl approve PLAN.json --key FILE`), and name the folder with the approvals " +
      "(`--approvals DIR`). The message says why others don't count.",
  },
  {
    code: "APL826",
    title: "The command takes no approvals",
    problem:
      "The context asks for approvals, and an `admin` command has no saved plan that anybody could approve. With a " +
      "URL in place of the context (`--connect-url`) nobody is asked.",
    remedy:
      "Write the change as a plan file (`cdcctl init OffsetChange`), save its plan, have it approved, and apply it.",
  },
  {
    code: "APL827",
    title: "A signature could not be made or checked",
    problem:
      "OpenSSH's `ssh-keygen` makes and checks the signatures. It was not found, did not answer in time, or refused " +
      "the key.",
    remedy: "Install OpenSSH's client, 8.9 or later, so that `ssh-keygen` is in PATH; check the key.",
  },
] as const;
