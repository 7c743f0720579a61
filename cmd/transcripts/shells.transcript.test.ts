/** Tab completion of the built commands, typed into the shells themselves: what a completed line then hands over. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildRun } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import { type DebianProgram, programOf } from "../../providers/real/debian-program.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import { BINARIES, ROOT } from "../dev/bundle.ts";

const BUILT = join(process.env["CDCCTL_DIST"] ?? join(ROOT, "dist"), "cdcctl.js");
const DEADLINE_MILLIS = 60_000;
const POLL_MILLIS = 20;
const SECRET = "of-the-connect-cluster";

/** Names that would do something if a shell read them, each with a beginning of its own. */
const HOSTILE = [
  "aa $(touch pwned)",
  "bb`touch pwned`",
  "cc'; touch pwned; '",
  'dd"$(touch pwned)"',
  "ee*",
  "ff\\x",
  "gg!!",
  "hh&touch pwned",
  "ii{1,2}",
  "jj #k",
  "kk~",
  "ll=m:n",
  "mm|touch pwned",
  "nn>pwned",
  "öö ß",
];
const RUN = "2026-11-21T09-15-40Z-7f3a";
const UNSEEN = "esc\u001b[2J\u0007";

interface Shell extends DebianProgram {
  readonly args: readonly string[];
  /** Files of its home folder: the script where the help of `completion` puts it. */
  readonly start: (script: string) => Readonly<Record<string, string>>;
  /** Nothing that needs quoting is offered behind an opening quote. */
  readonly leavesQuotes?: true;
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    names: ["bash"],
    package: "bash",
    args: ["--noprofile", "--rcfile", "rc", "-i"],
    start: (script) => ({ rc: script }),
    leavesQuotes: true,
  },
  zsh: {
    names: ["zsh"],
    package: "zsh",
    args: ["-i"],
    start: (script) => ({
      ".zshrc": "fpath=(~/.zfunc $fpath); autoload -Uz compinit && compinit -u -D\n",
      ".zfunc/_cdcctl": script,
    }),
  },
  fish: {
    names: ["fish"],
    package: "fish",
    args: ["--private", "-i"],
    start: (script) => ({
      ".config/fish/conf.d/cdcctl.fish": script,
      ".local/share/fish/generated_completions/none": "",
    }),
  },
};

/** A line up to where Tab is pressed, and the words that the command gets then. */
const LINES: readonly (readonly [typed: string, got: readonly string[]])[] = [
  ["cdcctl expl", ["cdcctl", "explain"]],
  ["cdc-admin transa", ["cdc-admin", "transactions"]],
  ["srcdb-cdc-doctor explain-l", ["srcdb-cdc-doctor", "explain-lag"]],
  ["migrate_from_legacy --inp", ["migrate_from_legacy", "--input"]],
  ["takeover_scn --target-c", ["takeover_scn", "--target-config"]],
  ["verify_cutover --check-e", ["verify_cutover", "--check-evidence"]],
  ["verify_cutover --connector zeb", ["verify_cutover", "--connector", "zebra of a run"]],
  ["cdc-admin transactions --context saf", ["cdc-admin", "transactions", "--context", "safe"]],
  ["cdcctl connectors show app", ["cdcctl", "connectors", "show", "apple of a context"]],
  ["cdcctl connectors show esc", ["cdcctl", "connectors", "show", "esc"]],
  ["cdcctl rollback 2026", ["cdcctl", "rollback", RUN]],
  ["cdcctl explain CDC-80", ["cdcctl", "explain", "CDC-8001"]],
  ["cdcctl init Off", ["cdcctl", "init", "OffsetChange"]],
  ["cdcctl schema LagE", ["cdcctl", "schema", "LagExplanation"]],
  ["cdcctl sandbox --scenario lag-tr", ["cdcctl", "sandbox", "--scenario", "lag-transaction"]],
  ["cdcctl plan --format=markd", ["cdcctl", "plan", "--format=markdown"]],
  ["cdcctl validate odd", ["cdcctl", "validate", "odd $(touch pwned).yaml"]],
  ["cdcctl report odd", ["cdcctl", "report", "odd $(touch pwned).yaml"]],
  ["cdcctl plan --out=odd", ["cdcctl", "plan", "--out=odd $(touch pwned).yaml"]],
  ["cdcctl plan --context odd", ["cdcctl", "plan", "--context", "odd"]],
  ['cdcctl plan --context "saf', ["cdcctl", "plan", "--context", "safe"]],
  ...HOSTILE.map((name) => {
    const begun = name.slice(0, 2);
    return [`cdcctl plan --context ${begun}`, ["cdcctl", "plan", "--context", name]] as const;
  }),
  ["cdcctl plan --context=aa", ["cdcctl", "plan", "--context=aa $(touch pwned)"]],
  ["cdcctl plan --context=ll", ["cdcctl", "plan", "--context=ll=m:n"]],
];

interface Session {
  readonly process: ChildProcess;
  readonly folder: string;
  shown: string;
}

const shells = suite("tab completion in the shell itself");
let folder = "";
let connect: Server;
let connections = 0;

shells.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cdcctl-shells-"));
  connect = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => connect.listen(0, "127.0.0.1", resolve));
  const { port } = connect.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const login = `auth: { basic: { user: cdcctl, password: ${SECRET} } }`;
  const contexts = ["safe", ...HOSTILE].map(
    (name) => `  ${JSON.stringify(name)}: { connect: { url: "${url}", ${login} } }`,
  );
  const own = "connectors: { apple of a context: { config: none.json } }";
  const configured = `  other: { connect: { url: "${url}/other" }, ${own} }`;
  const text = ["apiVersion: cdcctl/v1", "kind: Contexts", "contexts:", ...contexts, configured, ""].join("\n");
  await writeFile(join(folder, "contexts.yaml"), text, { mode: 0o600 });
  for (const [connector, run] of [
    ["zebra of a run", RUN],
    [UNSEEN, "2025-01-01T00-00-00Z-0000"],
  ] as const)
    await store(connector, run);
  await mkdir(join(folder, "bin"));
  for (const name of BINARIES) {
    const own = `if [ "$1" = complete ]; then exec '${process.execPath}' '${BUILT}' "$@"; fi`;
    const records = `printf '%s\\0' ${name} "$@" > "$RECORD.new" && mv "$RECORD.new" "$RECORD"`;
    await writeFile(join(folder, "bin", name), `#!/bin/sh\n${own}\n${records}\n`, { mode: 0o755 });
  }
});

shells.after(async () => {
  await new Promise((resolve) => connect.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

for (const [name, shell] of Object.entries(SHELLS))
  shells(`${name}: a completed line passes the name, and runs nothing of it`, async () => {
    const path = await programOf(shell);
    const session = await startShell(name, path, shell);
    try {
      const wrong: string[] = [];
      for (const [typed, expected] of LINES) {
        const got = await entered(session, `${typed}\t`);
        if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push(`${typed}: ${JSON.stringify(got)}`);
      }
      assert.equal(wrong, []);
      for (const name of shell.leavesQuotes ? [] : HOSTILE)
        assert.is((await entered(session, `cdcctl plan --context "${name.slice(0, 2)}\t`)).at(-1), name);
      for (const begun of shell.leavesQuotes ? ["aa", "bb", "dd"] : [])
        assert.is((await entered(session, `cdcctl plan --context "${begun}\t"`)).at(-1), begun);
      const files = await readdir(session.folder, { recursive: true });
      assert.not.ok(
        files.some((file) => file.endsWith("pwned")),
        files.join(", "),
      );
      assert.not.match(session.shown, SECRET);
      assert.is(connections, 0);
    } finally {
      session.process.kill("SIGKILL");
    }
  });

shells.run();

async function store(connector: string, run: string): Promise<void> {
  const journal = await stateDirectory(join(folder, "state")).create({ clusterId: "c-1", connector, run });
  const [started] = buildRun(backward, []).entries;
  if (started !== undefined) await journal.append(started);
  await journal.close();
}

/** A shell on a terminal, in a folder of its own, which has read its completion script. */
async function startShell(name: string, path: string, { args, start }: Shell): Promise<Session> {
  const home = join(folder, name);
  await mkdir(home);
  const script = await built("completion", name);
  for (const [file, text] of Object.entries(start(script))) {
    await mkdir(join(home, file, ".."), { recursive: true });
    await writeFile(join(home, file), text);
  }
  await writeFile(join(home, "odd $(touch pwned).yaml"), "");
  await writeFile(join(home, "ee of a glob"), "");
  const line = [path, ...args].join(" ");
  const terminal = await programOf({ names: ["script"], package: "bsdutils" });
  const child = spawn(terminal, ["-q", "-f", "-c", `stty cols 300; exec ${line}`, "/dev/null"], {
    cwd: home,
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter),
      HOME: home,
      TERM: "xterm",
      LC_ALL: "C.UTF-8",
      SHELL: path,
      RECORD: join(home, "record"),
      CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
      CDCCTL_STATE: join(folder, "state"),
    },
  });
  const session: Session = { process: child, folder: home, shown: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    session.shown += chunk.toString();
  });
  return session;
}

async function built(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [BUILT, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await new Promise((resolve) => child.once("close", resolve));
  return text;
}

/** Types a line and Enter. @returns the words that the command got; rejects when no command has run in time */
async function entered(session: Session, keys: string): Promise<readonly string[]> {
  const record = join(session.folder, "record");
  await rm(record, { force: true });
  session.process.stdin?.write(`${keys}\r`);
  const deadline = Date.now() + DEADLINE_MILLIS;
  while (Date.now() < deadline) {
    const text = await readFile(record, "utf8").catch(() => undefined);
    if (text !== undefined) return text.split("\0").slice(0, -1);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
  }
  throw new Error(`${JSON.stringify(keys)} has run no command: ${JSON.stringify(session.shown.slice(-2000))}`);
}
