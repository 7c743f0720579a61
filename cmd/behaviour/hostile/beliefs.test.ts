/**
 * What is believed of files and answers that others may have written: each input of the table is refused with its
 * reason, by the real commands, and nothing is changed. Journals are in `edited-journals.test.ts`, resolved plans and
 * their place in `edited-plans.test.ts` and `other-places.test.ts`, rights in `other-writers.test.ts`, variables of the
 * environment, such as a `NODE_OPTIONS` that logs TLS keys, in `environment.test.ts`, and commands that are pasted in
 * `pasted-commands.test.ts`.
 */
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { closing } from "../../../core/change/holding.ts";
import { until } from "../../../providers/connect/contract.ts";
import { LEGACY_CONNECTOR } from "../../../providers/sandbox/migration/stage.ts";
import { CONNECTOR, type Sandbox } from "../../../providers/sandbox/sandbox.ts";
import { CANARIES, openChangedWorld } from "../changed-world.ts";
import { SIGNAL_ONLY } from "../changes.ts";
import { openMigrationWorld } from "../migration/migration-world.ts";
import { type FinishedHere, runHere, startProcess } from "../run-command.ts";
import { afterCutover } from "../verify-job/after-cutover.ts";
import { drive } from "../verify-job/local-driver.ts";
import { betweenHttp } from "./between.ts";
import { resealed } from "./fuzz/resealed.ts";

const beliefs = suite("what is believed");
const PATIENCE = { connect: { callMillis: 2000, retryMillis: 300, firstContactMillis: 2000 }, patch: 100 };

interface Scene {
  readonly sandbox: Sandbox;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** A valid plan file of the kind. */
  readonly plan: string;
  write(name: string, text: string): Promise<string>;
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<FinishedHere>;
  close(): Promise<void>;
}

type Kind = "OffsetChange" | "Resnapshot" | "cutover" | "verify" | "retire";

async function openScene(kind: Kind): Promise<Scene> {
  const running = (env: Readonly<Record<string, string>>): Scene["run"] => {
    return (words, more = {}) => runHere(words, { env: { ...env, ...more }, patience: PATIENCE });
  };
  if (kind === "OffsetChange" || kind === "Resnapshot") {
    const world = await openChangedWorld({ state: "STOPPED" }, ...(kind === "Resnapshot" ? [SIGNAL_ONLY] : []));
    return { ...world, write: world.writePlan, run: running(world.env) };
  }
  const world = await openMigrationWorld();
  return { ...world, plan: await world.plan(kind), run: running(world.env) };
}

const changing = ({ sandbox }: Scene) =>
  sandbox.connect.requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("/validate")).length;

/** Adds a case: whatever its commands are, nothing is changed, no bug is met, and no password is shown. */
function inScene(clause: string, what: string, kind: Kind, act: (scene: Scene) => Promise<void>): void {
  beliefs(`${clause}: ${what}`, async () => {
    await using scene = closing(await openScene(kind));
    const before = changing(scene);
    await act({
      ...scene,
      async run(...of) {
        const finished = await scene.run(...of);
        assert.not.match(finished.output, /This is a bug/);
        for (const canary of CANARIES) assert.not.ok(finished.output.includes(canary), finished.output);
        return finished;
      },
    });
    assert.is(changing(scene), before, "nothing is changed");
  });
}

/** A clause, what is hostile, the kind of plan; how it is put there, with the commands that meet it; how they end. */
type Row = readonly [
  clause: string,
  what: string,
  kind: Kind,
  put: (scene: Scene) => Promise<readonly (readonly string[])[]>,
  exit: number,
  says: RegExp,
];

const edited = async ({ plan, write }: Scene, from: string | RegExp, to: string): Promise<string> => {
  const text = await readFile(plan, "utf8");
  assert.match(text, from);
  return write("edited.yaml", text.replace(from, to));
};
const planned = (path: string) => [
  ["validate", path],
  ["plan", path],
  ["apply", path, "--yes"],
];
const named = (name: string) => async (scene: Scene) =>
  planned(await edited(scene, `connector: ${CONNECTOR}`, `connector: ${name}`));
const evidence = (path: string) => async (scene: Scene) => {
  await symlink("/etc", join(scene.dir, "link"));
  const file = await edited(scene, /$/, `  evidence: ${path}\n`);
  return planned(file).slice(1);
};
/** The database stands before what is stored. */
const earlier = async ({ sandbox }: Scene) => void Object.assign(sandbox.oracle, { currentScn: () => 2_009_000n });

const ROWS: readonly Row[] = [
  ["2.5", "target.connector ..", "OffsetChange", named('".."'), 64, /target\.connector is "\.\."/],
  ["2.5", "target.connector .", "OffsetChange", named('"."'), 64, /target\.connector is "\."/],
  ["2.5", "an empty target.connector", "OffsetChange", named('""'), 64, /target\.connector is blank/],
  [
    "2.5",
    "a no-break space where a blank is meant",
    "OffsetChange",
    async (scene) => planned(await edited(scene, "scn: ", "scn:\u00a0")),
    64,
    /:\d+:\d+: a no-break space \(U\+00A0\)/,
  ],
  ...["../x.json", "/etc/x.json", "none/../../x.json"].map(
    (path): Row => [
      "2.5",
      `spec.evidence ${path}`,
      "verify",
      evidence(path),
      64,
      /spec\.evidence .*(below|folder)|leads out of the plan file/,
    ],
  ),
  ["2.5", "spec.evidence behind a link", "retire", evidence("link/x.json"), 1, /leads out of the plan file's folder/],
  [
    "2.5",
    "facts of another connector",
    "OffsetChange",
    async (scene) => {
      const facts = join(scene.dir, "facts.json");
      assert.is((await scene.run(["observe", scene.plan, "--out", facts])).exit, 0);
      const text = await readFile(facts, "utf8");
      const other = resealed(text.replaceAll(`"name": "${CONNECTOR}"`, '"name": "billing-cdc"'));
      assert.match(other, "billing-cdc");
      await writeFile(facts, other);
      return [["plan", scene.plan, "--facts", facts]];
    },
    64,
    /billing-cdc/,
  ],
  [
    "2.5",
    "a stored SCN above the current one, of an offset change",
    "OffsetChange",
    async (scene) => {
      await earlier(scene);
      return planned(scene.plan).slice(1);
    },
    1,
    /is above.*OFF118/,
  ],
  [
    "2.5",
    "a stored SCN above the current one, of a resnapshot",
    "Resnapshot",
    async (scene) => {
      await earlier(scene);
      return planned(scene.plan).slice(1);
    },
    1,
    /is above.*OFF118/,
  ],
  [
    "2.5",
    "a stored SCN above the current one, of a cutover",
    "cutover",
    async (scene) => {
      await earlier(scene);
      return planned(scene.plan).slice(1);
    },
    1,
    /is above.*MIG124/,
  ],
  [
    "2.5",
    "a stored SCN above the current one, of a takeover",
    "cutover",
    async (scene) => {
      await earlier(scene);
      const { cluster } = scene.sandbox.connect;
      const legacy = cluster.connectors.get(LEGACY_CONNECTOR);
      if (legacy === undefined) throw new Error("no legacy connector");
      cluster.aim(legacy, "STOPPED");
      await until("it is", async () => legacy.reported?.state === "STOPPED");
      const own = JSON.parse(await readFile(join(scene.dir, "orders-cdc.json"), "utf8")) as object;
      const file = await scene.write("target.json", JSON.stringify({ ...own, "cdc.topic.prefix": "orders" }));
      const target = ["--target-config", file];
      return [["migrate", "takeover", "--connector", LEGACY_CONNECTOR, "--context", "sandbox", ...target]];
    },
    1,
    /is above.*LEG007/,
  ],
];

for (const [clause, what, kind, put, exit, says] of ROWS)
  inScene(clause, what, kind, async (scene) => {
    for (const words of await put(scene)) {
      const ended = await scene.run(words);
      assert.is(ended.exit, exit, `${words.join(" ")}\n${ended.output}`);
      assert.match(ended.output.replace(/\s+/g, " "), says, `${words.join(" ")}\n${ended.output}`);
    }
  });

inScene("2.5", "GET /connectors/x that answers another name", "OffsetChange", async (scene) => {
  const { url } = scene.sandbox.connect;
  const between = await betweenHttp(Number(new URL(url).port), (path, body) =>
    path === `/connectors/${CONNECTOR}`
      ? Buffer.from(body.toString().replace(`"name":"${CONNECTOR}"`, '"name":"billing-cdc"'))
      : body,
  );
  try {
    const contexts = await readFile(join(scene.dir, "contexts.yaml"), "utf8");
    await scene.write("contexts.yaml", contexts.replace(url, `http://127.0.0.1:${between.port}`));
    for (const words of [
      ...planned(scene.plan).slice(1),
      ["connectors", "show", CONNECTOR, "--context", "sandbox"],
      ["connectors", "stop", CONNECTOR, "--context", "sandbox"],
      ["admin", "offsets", "show", "--context", "sandbox", "--connector", CONNECTOR],
    ]) {
      const { exit, output } = await scene.run(words);
      assert.is(exit, 1, `${words.join(" ")}\n${output}`);
      assert.match(output.replace(/\s+/g, " "), /billing-cdc/, words.join(" "));
    }
  } finally {
    await between.close();
  }
});

// ---- Hidden characters ----------------------------------------------------------------------------------------------

const HIDDEN = ["\u00ad", "\u034f", "\ufe0f", "\u{e0101}", "\u3164", "\u{e0041}", "\u202e", "\u2066", "\u200b"];

/** The text with each of its strings, one after the other, changed. */
function textsOf(value: unknown, change: (text: string) => string): readonly (readonly [at: string, text: unknown])[] {
  if (typeof value === "string") return [["", change(value)]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    textsOf(member, change).map(([at, other]): readonly [string, unknown] => [
      `${name}.${at}`,
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other },
    ]),
  );
}

for (const kind of ["OffsetChange", "Resnapshot", "verify"] as const)
  inScene("2.5", `hidden characters in every text of a plan file, ${kind}`, kind, async (scene) => {
    const genuine = parse(await readFile(scene.plan, "utf8")) as unknown;
    let tried = 0;
    for (const hidden of HIDDEN)
      for (const [at, text] of textsOf(genuine, (one) => `${one.slice(0, 2)}${hidden}${one.slice(2)}`)) {
        const path = await scene.write("hidden.yaml", JSON.stringify(text));
        const { exit, output } = await scene.run(["validate", path]);
        const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
        assert.is(exit, 64, `${at} U+${code}: ${output}`);
        assert.ok(output.includes(`U+${code}`), `${at}: ${output}`);
        assert.not.ok(output.includes(hidden), `${at} U+${code} is shown: ${output}`);
        tried++;
      }
    assert.ok(tried > 60, String(tried));
    const { exit, output } = await scene.run(["apply", join(scene.dir, "hidden.yaml"), "--yes"]);
    assert.is(exit, 64, output);
  });

// ---- Files that decide, as they stand where cdcctl runs -------------------------------------------------------------

/** How a contexts file stands in a world that needs no override; what is said of it. */
const WORLDS: readonly (readonly [
  what: string,
  put: (path: string) => Promise<void>,
  env: (path: string) => Readonly<Record<string, string>>,
  says: RegExp | undefined,
])[] = [
  ["umask 002", (path) => chmod(path, 0o664), () => ({}), /its group, to which this user belongs, can write to it/],
  [
    "a mounted Secret",
    async (path) => {
      const folder = join(dirname(path), "secret");
      await mkdir(join(folder, "..2026_11_28"), { recursive: true });
      await rename(path, join(folder, "..2026_11_28", "contexts.yaml"));
      await chmod(folder, 0o1777);
      await symlink("..2026_11_28", join(folder, "..data"));
      await symlink(join("..data", "contexts.yaml"), join(folder, "contexts.yaml"));
      await symlink(join("secret", "contexts.yaml"), path);
    },
    () => ({ KUBERNETES_SERVICE_HOST: "10.0.0.1" }),
    undefined,
  ],
  [
    "a volume with fsGroup",
    async (path) => {
      await chmod(path, 0o660);
      await chmod(dirname(path), 0o2775);
    },
    () => ({ KUBERNETES_SERVICE_HOST: "10.0.0.1" }),
    /its group, to which this user belongs, can write to it/,
  ],
  [
    "a forge's file variable",
    async (path) => {
      await chmod(path, 0o666);
      await chmod(dirname(path), 0o777);
    },
    (path) => ({ GITLAB_CI: "true", CI_PROJECT_DIR: dirname(path).replace(/\.tmp$/, "") }),
    /everybody in this job's container can write to it/,
  ],
  [
    "a Jenkins secret file",
    async (path) => {
      await chmod(path, 0o400);
      await chmod(dirname(path), 0o700);
    },
    () => ({ JENKINS_URL: "http://jenkins" }),
    undefined,
  ],
];

for (const [what, put, env, says] of WORLDS)
  inScene("2.3", `${what} needs no override`, "OffsetChange", async (scene) => {
    const folder = join(scene.dir, "cdc.tmp");
    await mkdir(folder);
    const path = join(folder, "contexts.yaml");
    await rename(join(scene.dir, "contexts.yaml"), path);
    await put(path);
    const { exit, stderr, output } = await scene.run(["plan", scene.plan], { CDCCTL_CONTEXTS: path, ...env(path) });
    assert.is(exit, 0, output);
    if (says === undefined) assert.not.match(stderr, /can write to it|was not checked/);
    else assert.is(stderr.replace(/\s+/g, " ").split(says).length, 2, `once: ${stderr}`);
  });

// ---- Jobs of a verification -----------------------------------------------------------------------------------------

/** What another job, or another user, leaves in the folder of a job that is resumed. */
const LEFT: readonly (readonly [
  what: string,
  leave: (folder: string, other: string) => Promise<unknown>,
  submit: (folder: string, other: string) => string,
  says: RegExp,
])[] = [
  [
    "results of another job",
    async (folder, other) => {
      await rm(join(folder, "results"), { recursive: true, force: true });
      await cp(join(other, "results"), join(folder, "results"), { recursive: true });
    },
    (folder) => `touch ${folder}.submitted; true`,
    /holds parts of the job sha256:\w+, but its job is sha256:/,
  ],
  [
    "another job while it runs",
    async () => undefined,
    (folder, other) => `cp ${join(other, "job.json")} ${join(folder, "job.json")}; true`,
    /but sha256:\w+ was submitted/,
  ],
];

for (const [what, leave, submit, says] of LEFT)
  beliefs(`2.3: a job is not resumed, or not finished, over ${what}`, () =>
    afterCutover([], async ({ dir, env, verify, plan }) => {
      const [folder, { folder: other }] = [join(dir, "job"), await plan()];
      await drive(other, { env });
      assert.is((await verify("--engine", "spark", "--job-dir", folder)).exit, 0);
      await leave(folder, other);
      const command = submit(folder, other);
      const { exit, output } = await verify("--engine", "spark", "--spark-submit", command, "--job-dir", folder);
      assert.is(exit, 1, output);
      assert.match(output.replaceAll(/\s+/g, " "), says);
      assert.match(output, /VER111/);
      assert.not((await readdir(dir)).includes("job.submitted"), "nothing was submitted");
      const finished = await verify("--finish", folder);
      assert.is.not(finished.exit, 0, finished.output);
    }),
  );

// ---- A resolved plan without end ------------------------------------------------------------------------------------

inScene(
  "2.5",
  "a resolved plan above 16 MB is refused within 3 s of processor time and 300 MB",
  "OffsetChange",
  async (scene) => {
    const file = join(scene.dir, "large.json");
    assert.is((await scene.run(["plan", scene.plan, "--out", file])).exit, 0);
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace('"plans": [', () => `"plans": [${"[],\n".repeat(5_000_000)}`),
    );
    const measure = `process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    process.stderr.write(\`rss=\${maxRSS};cpu=\${(userCPUTime + systemCPUTime) / 1000};\`);
  })`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(measure)}`;
    for (const argv of [
      ["apply", file, "--yes"],
      ["show", file],
      ["report", file],
    ]) {
      const { exit, output } = await startProcess(argv, { env: { ...scene.env, NODE_OPTIONS } }).finished;
      assert.is(exit, 64, output);
      assert.match(output, "the file is larger than 16");
      assert.ok(Number(/cpu=(\d+)/.exec(output)?.[1]) < 3000, output);
      assert.ok(Number(/rss=(\d+);/.exec(output)?.[1]) < 300_000, output);
    }
  },
);

beliefs.run();
