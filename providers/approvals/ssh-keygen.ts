import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { NAMESPACE, signedText } from "../../core/approvals/approvals.ts";
import { Refusal } from "../../core/errors.ts";
import { printDuration } from "../../core/values/duration.ts";
import type { Instant } from "../../core/values/instant.ts";
import { truncate } from "../../core/values/truncate.ts";
import type { Approval, Statement } from "../../schemas/generated/shared.ts";

/**
 * OpenSSH's own program makes and checks the signatures: it works with agents, security keys and passphrases, and reads
 * allowed_signers files with all their options. Nothing secret is in its arguments: keys are named by their file.
 */
interface Call {
  readonly words: readonly string[];
  readonly input: string;
  /** Milliseconds. */
  readonly limit: number;
  readonly env: Env;
  /** Receives each line that it says meanwhile, such as that a security key is to be touched. */
  readonly tell?: (line: string) => void;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Milliseconds. While signing, a passphrase is typed, or a security key touched. */
const LIMITS = { sign: 120_000, check: 15_000 } as const;
const MOST_OUTPUT = 64 * 1024;

/** What it needs of the environment: the rest may hold passwords of other systems. */
const PASSED = /^(?:PATH|HOME|USER|LOGNAME|TERM|TMPDIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|SSH_.+)$/;
/** Variables of Windows. */
const PASSED_THERE = /^(?:Path|PATHEXT|SystemRoot|USERPROFILE|TEMP|TMP)$/i;

/**
 * Signs a statement with the key in a file, or with the agent's key whose public half the file holds.
 *
 * @throws Refusal `APL827` where ssh-keygen is not there, refuses the key, or is not answered in time
 */
export async function sign(
  statement: Statement,
  key: string,
  env: Env,
  tell: (line: string) => void,
  limits: { readonly sign: number } = LIMITS,
): Promise<string> {
  const words = ["-Y", "sign", "-n", NAMESPACE, "-f", resolve(key)];
  const said = (line: string) => {
    if (line !== "Signing data on standard input") tell(line);
  };
  const { exit, stdout, last } = await ran({
    words,
    input: signedText(statement),
    limit: limits.sign,
    env,
    tell: said,
  });
  if (exit === 0) return stdout;
  throw new Refusal("APL827", `ssh-keygen can't sign with ${key}: ${last || `it ended with ${exit}`}`, [
    "Name a private key, or the public key (.pub) of one that ssh-agent holds; without a terminal it can't ask for a " +
      "passphrase.",
  ]);
}

/**
 * Whether an approval's signature is one of the principal that it names.
 *
 * @param signers text of the allowed_signers file
 * @param moment the one that its `valid-after` and `valid-before` are held against; undefined: now
 * @returns the fingerprint of the key, or why it is not
 * @throws Refusal `APL827` where ssh-keygen is not there, or does not answer in time
 */
export async function checkSignature(
  { statement, signature }: Pick<Approval, "statement" | "signature">,
  signers: string,
  env: Env,
  moment?: Instant,
  limits: { readonly check: number } = LIMITS,
): Promise<{ readonly key: string } | { readonly why: string }> {
  // Its own copies: what is checked is what was read, whoever changes or swaps the files meanwhile.
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-approval-"));
  try {
    const [allowed, signed] = [join(folder, "allowed_signers"), join(folder, "signature")];
    await writeFile(allowed, signers, { mode: 0o600 });
    await writeFile(signed, signature, { mode: 0o600 });
    const when = moment === undefined ? [] : ["-O", `verify-time=${moment.slice(0, 19).replaceAll(/\D/g, "")}`];
    const { by } = statement;
    const words = ["-Y", "verify", ...when, "-n", NAMESPACE, "-f", allowed, "-I", by, "-s", signed];
    const { exit, stdout, last } = await ran({ words, input: signedText(statement), limit: limits.check, env });
    const key = GOOD.exec(stdout)?.[1];
    if (exit === 0 && key !== undefined) return { key };
    const reason = last.replaceAll(allowed, "the file of signers").replaceAll(`${signed}:`, "");
    return {
      why: reason === "" ? `it is not signed by a key that the signers file has for ${by}` : truncate(reason, 300),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const GOOD = /^Good "cdcctl-approval" signature for .+ with \S+ key (SHA256:[\w+/]{43})\n*$/;

interface Ran {
  readonly exit: number | string;
  readonly stdout: string;
  /** The last line that it said on standard error. */
  readonly last: string;
}

function ran({ words, input, limit, env, tell }: Call): Promise<Ran> {
  const passed = Object.entries(env).filter(
    ([name]) => PASSED.test(name) || (process.platform === "win32" && PASSED_THERE.test(name)),
  );
  return new Promise((done, fail) => {
    const child = spawn("ssh-keygen", words, {
      // Messages in English, and moments in UTC.
      env: { ...Object.fromEntries(passed), LC_ALL: "C", TZ: "UTC" },
      stdio: ["pipe", "pipe", "pipe"],
      timeout: limit,
      killSignal: "SIGKILL",
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
      if (stdout.length > MOST_OUTPUT) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      if (stderr.length > MOST_OUTPUT) return;
      const from = stderr.lastIndexOf("\n") + 1;
      stderr += piece;
      for (const line of stderr.slice(from).split("\n").slice(0, -1)) tell?.(line.trim());
    });
    // It may end before it has read everything: its exit says so.
    child.stdin.on("error", () => undefined).end(input);
    child.once("error", (error: NodeJS.ErrnoException) => fail(absent(error)));
    child.once("close", (code, signal) => {
      if (signal === "SIGKILL") fail(late(limit));
      else done({ exit: code ?? signal ?? "", stdout, last: stderr.trim().split(/\r?\n/).at(-1) ?? "" });
    });
  });
}

const INSTALL = "Install OpenSSH's client (Debian: openssh-client), 8.9 or later, so that ssh-keygen is in PATH.";

function absent({ code, message }: NodeJS.ErrnoException): Refusal {
  const why = code === "ENOENT" ? "is not in PATH" : `can't be started (${code ?? message})`;
  return new Refusal("APL827", `ssh-keygen ${why}: it makes and checks the signatures of approvals`, [INSTALL]);
}

function late(limit: number): Refusal {
  return new Refusal("APL827", `ssh-keygen was ended: no answer within ${printDuration(limit)}`, [
    "See whether it asks for a passphrase, or waits for a security key to be touched.",
  ]);
}
