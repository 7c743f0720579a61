import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  type ApprovalPolicy,
  type Checked,
  demandEnough,
  faultIn,
  judge,
  type Subject,
  signerText,
} from "../../../core/approvals/approvals.ts";
import { fitsJson, problemsOfJson, type Schema } from "../../../core/document/schema.ts";
import { isShown, Refusal, UsageError } from "../../../core/errors.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { approvalSeen, decisionOf, resolvedPlan } from "../../../core/plan/resolved-plan.ts";
import { counted, showCount } from "../../../core/values/amounts.ts";
import { HOUR } from "../../../core/values/duration.ts";
import { epochMillis, instantOf } from "../../../core/values/instant.ts";
import { jsonObjectIn, printJson } from "../../../core/values/json.ts";
import { shellFile, shellWord } from "../../../core/values/shell-word.ts";
import { checkSignature, sign } from "../../../providers/approvals/ssh-keygen.ts";
import type { Contexts } from "../../../providers/contexts/contexts.ts";
import { readTextFile } from "../../../providers/contexts/text-file.ts";
import { decideAccess } from "../../../providers/contexts/trust.ts";
import { demandOwn } from "../../../providers/who-may-write.ts";
import schema from "../../../schemas/approval.schema.json" with { type: "json" };
import type { ApprovalsSection } from "../../../schemas/generated/contexts.ts";
import type { Approval, CountedApproval, Statement } from "../../../schemas/generated/shared.ts";
import { EXIT } from "../../command.ts";
import { type Host, VERSION } from "../../host.ts";
import type { approveOptions, operatorOptions } from "../../options/approvals/approvals.ts";
import type { Flags } from "../../options/common.ts";
import { warningsTo, writeLine } from "../../screen.ts";
import type { RunView } from "../../views/run-timeline.ts";
import { systemClock } from "../clock.ts";
import { contextsOf } from "../contexts.ts";
import { DOCUMENTS, readText, refuseOther, writeDocument } from "../files.ts";
import { accessFlags, type WorldFlags } from "../open-world.ts";
import { readFiles } from "../plan-files.ts";
import { planReport } from "../plan-report.ts";
import { readPlanFiles } from "../resolved-files.ts";
import { durationOf } from "../typed-values.ts";

/** `apply` reads the files of this ending, and no other. */
const ENDING = ".approval.json";
const MOST_FILES = 100;
const MAX_BYTES = 64 * 1024;

type OperatorFlags = Flags<typeof operatorOptions>;

/** Signs a saved plan. Nothing but files is opened. @returns 0 */
export async function approve(
  flags: Flags<typeof approveOptions> & { readonly plan: string },
  host: Host,
): Promise<number> {
  const {
    plan: file,
    context,
    out = `${file.replace(/\.json$/, "")}.${signerOf(flags, host).replaceAll("/", "_")}${ENDING}`,
  } = flags;
  if (!out.endsWith(ENDING))
    throw new UsageError(`--out ${out} does not end in ${ENDING}`, "Add that: apply --approvals reads no other files.");
  await refuseOther(out, DOCUMENTS.approval);
  // Whether its intents say what was decided.
  await readPlanFiles({ files: [file], context });
  const { resolved } = await readFiles({ files: [file], context });
  if (resolved === undefined)
    throw new UsageError({
      file,
      message: "this is a plan file, and approved is a saved plan",
      remedy: { text: "Save its plan, and approve that", command: `cdcctl plan ${shellFile(file)} --out PLAN.json` },
    });
  const { plans, approval, decision, digest } = resolved.plan;
  if (approval !== approvalSeen(plans))
    throw new Refusal("APL802", `${file} was changed after it was planned: its approval is not that of its plans`, [
      { text: "Plan again", command: "cdcctl plan FILE --out PLAN" },
    ]);
  const contexts = namesOf(plans.map(({ intent }) => intent.target.context ?? context));
  host.stdout.write(planReport(plans, { format: "text", files: [], out: undefined, full: false }, host));
  const life = durationOf("expires", flags.expires);
  const statement = statementBy(flags, { decision, approval, contexts }, digest, life, host);
  const signed = await signedBy(statement, flags.key, host);
  await writeDocument(out, `${printJson(signed)}\n`, DOCUMENTS.approval);
  writeLine(host.stderr, `wrote ${out}: ${statement.by} approves ${approval} until ${statement.expires}`);
  writeLine(
    host.stderr,
    `next:  cdcctl apply ${shellFile(file)} --approvals ${shellFile(dirname(out))} --expect ${shellWord(approval)}`,
  );
  return EXIT.done;
}

function signerOf({ as }: Pick<OperatorFlags, "as">, host: Host): string {
  return as ?? host.operator;
}

function statementBy(
  flags: Pick<OperatorFlags, "as">,
  subject: Subject,
  plan: Statement["plan"],
  life: number,
  host: Host,
): Statement {
  const at = systemClock.now();
  return { ...subject, by: signerOf(flags, host), at, expires: instantOf(epochMillis(at) + life), plan };
}

/** @throws UsageError for a principal that no allowed_signers file can name; Refusal as `sign` */
async function signedBy(statement: Statement, key: string, host: Host): Promise<Approval> {
  const form = { apiVersion: "cdcctl/v1", kind: "Approval", statement } as const;
  if (!fitsJson({ ...statement }, { $ref: "shared.json#/$defs/statement" }))
    throw new UsageError(
      `"${statement.by}" is not a principal that can sign`,
      "Name it by --as, as the allowed_signers file does: letters, digits and . _ @ + / : -",
    );
  return { ...form, signature: await sign(statement, key, host.env, (line) => writeLine(host.stderr, line)) };
}

/** @throws UsageError for what is not an approval */
function parseApproval(text: string, file: string): Approval {
  const parsed = jsonObjectIn(text);
  if (parsed === undefined) throw new UsageError({ file, message: "it is not JSON" });
  const [problem] = problemsOfJson(parsed, schema as Schema, file);
  if (problem !== undefined) throw new UsageError({ file, message: `it is not an approval: ${problem.message}` });
  return parsed as unknown as Approval;
}

function namesOf(contexts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(contexts.filter((name) => name !== undefined))].sort();
}

/**
 * Looks whether the plans are approved as the contexts ask that they are applied with.
 *
 * @returns the approvals that count, by plan
 * @throws Refusal `APL825` when some are missing
 */
export async function demandApprovals(
  plans: readonly Plan[],
  flags: WorldFlags &
    Partial<OperatorFlags> & { readonly files?: readonly string[]; readonly approvals?: string | undefined },
  host: Host,
): Promise<ReadonlyMap<Plan, readonly CountedApproval[]>> {
  const contexts = await contextsOf(flags, host);
  const used = new Map<Plan, Used>();
  for (const plan of plans) used.set(plan, await usedBy(plan.intent.target, flags, contexts));
  const asked = [...used.values()].flatMap(({ policies }) => policies);
  if (asked.length === 0) {
    if (flags.approvals !== undefined || flags.key !== undefined)
      writeLine(host.stderr, "note: the context asks for no approvals, so none were looked at");
    return new Map();
  }
  const subject = {
    decision: decisionOf(plans),
    approval: approvalSeen(plans),
    contexts: namesOf(
      [...used.values()].flatMap(({ context, policies }) => [context, ...policies.map((one) => one.context)]),
    ),
  };
  const found = await foundIn(flags.approvals);
  if (flags.key !== undefined) {
    const statement = statementBy({ as: flags.as }, subject, resolvedPlan(plans, VERSION).digest, HOUR, host);
    found.push({ from: flags.key, of: "operator", read: await signedBy(statement, flags.key, host) });
  }
  const files = flags.files ?? [];
  const how = {
    plan: files.length === 1 && files[0]?.endsWith(".json") ? files[0] : undefined,
    folder: flags.approvals,
  };
  const counted = new Map<ApprovalPolicy["context"], readonly CountedApproval[]>();
  for (const policy of asked) {
    if (counted.has(policy.context)) continue;
    const judgement = judge(await checkedBy(policy, found, subject, host), policy);
    demandEnough(judgement, policy, how);
    counted.set(policy.context, judgement.counted);
    const who = judgement.counted.map(({ approval }) => approval.statement.by).join(", ");
    writeLine(host.stderr, `approved as ${policy.context} asks: ${who}`);
  }
  const of = ({ policies }: Used) => [...new Set(policies.flatMap(({ context }) => counted.get(context) ?? []))];
  return new Map([...used].map(([plan, one]) => [plan, of(one)]));
}

interface Used {
  readonly context: string | undefined;
  readonly policies: readonly ApprovalPolicy[];
}

/**
 * What has to be approved there: as the context asks that is used, and each that has one of the URLs. A plan file that
 * names a context's URL in its place does not switch its policy off.
 */
async function usedBy(target: Plan["intent"]["target"], flags: WorldFlags, contexts: Contexts): Promise<Used> {
  const { context, connect } = await decideAccess(target, accessFlags(flags), contexts);
  const there = [connect.url, ...(connect.otherUrls ?? [])];
  const policies: ApprovalPolicy[] = [];
  for (const name of await contexts.namesAt(context, there)) {
    const asks = await contexts.approvalsOf(name);
    if (asks !== undefined) policies.push(policyOf(name, asks, contexts));
  }
  return { context, policies };
}

function policyOf(
  context: string,
  { required, signers, distinct = true, operatorSigns = false }: ApprovalsSection,
  { path }: Contexts,
): ApprovalPolicy {
  return { context, required: Number(required), signers: resolve(dirname(path), signers), distinct, operatorSigns };
}

/**
 * Refuses `admin` commands, which have no saved plan, where a context asks for approvals; with a URL in its place
 * nobody is asked, which is said.
 *
 * @throws Refusal `APL826`
 */
export async function refuseUnapproved(target: Plan["intent"]["target"], flags: WorldFlags, host: Host): Promise<void> {
  const { policies } = await usedBy(target, flags, await contextsOf(flags, host));
  const [policy] = policies;
  if (policy === undefined) return;
  const asks = `the context ${policy.context} asks for ${counted(policy.required, "approval")}`;
  if (flags.context === undefined)
    return writeLine(host.stderr, `note: ${asks}; with --connect-url in its place, none are needed`);
  throw new Refusal("APL826", `${asks}, and this command has no saved plan to approve`, [
    { text: "Write the change as a plan file", command: "cdcctl init OffsetChange --out FILE" },
    { text: "Save its plan, and have it approved", command: "cdcctl plan FILE --out PLAN.json" },
  ]);
}

interface Found {
  readonly from: string;
  readonly of: CountedApproval["of"];
  /** Or why it can't be read. */
  readonly read: Approval | string;
}

/** The approvals of a folder, by name. @throws UsageError when it can't be read, or has too many */
async function foundIn(folder: string | undefined): Promise<Found[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--approvals ${folder} can't be read (${error.code})`, "Name the folder with the approvals.");
  });
  const files = names.filter((name) => name.endsWith(ENDING)).sort();
  if (files.length > MOST_FILES)
    throw new UsageError(
      `--approvals ${folder} has ${showCount(files.length)} approvals; at most ${showCount(MOST_FILES)} are read`,
      "Keep the approvals of each change in a folder of its own.",
    );
  return Promise.all(
    files.map(async (name): Promise<Found> => {
      const file = join(folder, name);
      const read = readText(file, MAX_BYTES, "outside").then((text) => parseApproval(text, file));
      const why = (error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        return error.problems.map(({ message }) => message).join("; ");
      };
      return { from: basename(name), of: "approver", read: await read.catch(why) };
    }),
  );
}

/** What each of them says is compared first: no signature of another decision is checked. */
async function checkedBy(
  { signers }: Pick<ApprovalPolicy, "signers">,
  found: readonly Found[],
  subject: Subject,
  host: Host,
): Promise<readonly Checked[]> {
  const allowed = await signersIn(signers, host);
  const checked: Checked[] = [];
  for (const { from, of, read } of found) {
    const why = typeof read === "string" ? read : faultIn(read.statement, subject, systemClock.now());
    if (typeof read === "string" || why !== undefined) checked.push({ from, of, why: why ?? "" });
    else checked.push({ from, of, approval: read, ...(await checkSignature(read, allowed, host.env)) });
  }
  return checked;
}

/** @throws UsageError when it can't be read; Refusal `STA702` if another user may write it */
async function signersIn(path: string, host: Host): Promise<string> {
  (await demandOwn([path], host.env)).forEach(warningsTo(host));
  return (await readTextFile(path, "the file of signers")).text;
}

interface SignersFlags {
  readonly signers?: string | undefined;
  readonly contexts?: string | undefined;
}

/** A run with its approvals verified again, offline, by a file of signers or that of the run's context. */
export async function verifiedRun(run: RunView, flags: SignersFlags, host: Host): Promise<RunView> {
  const { approvals = [], subject, at: startedAt } = run.state.started;
  if (approvals.length === 0) return run;
  const unverified = (why: string) => ({
    ...run,
    approved: approvals.map((one) => `${signerText(one)}: not verified here, ${why}`),
  });
  try {
    const path = flags.signers ?? (await signersOf(subject.context, flags, host));
    if (path === undefined) return unverified("as no file of signers is known; pass --signers FILE");
    const signers = await signersIn(path, host);
    const approved: string[] = [];
    for (const one of approvals) {
      const { decision, expires } = one.approval.statement;
      const checked = await checkSignature(one.approval, signers, host.env, startedAt);
      const about =
        decision === subject.decision ? "" : `, for ${decision}, which is not the decision of this run alone`;
      approved.push(
        "key" in checked
          ? `${signerText(one)}: verified by ${path}${about}, key ${checked.key}, good until ${expires}`
          : `${signerText(one)}: NOT VERIFIED by ${path}: ${checked.why}`,
      );
    }
    return { ...run, approved };
  } catch (error) {
    if (!isShown(error)) throw error;
    return unverified(error.message);
  }
}

async function signersOf(context: string | undefined, flags: SignersFlags, host: Host): Promise<string | undefined> {
  if (context === undefined) return undefined;
  const contexts = await contextsOf(flags, host);
  const asks = await contexts.approvalsOf(context);
  return asks && policyOf(context, asks, contexts).signers;
}
