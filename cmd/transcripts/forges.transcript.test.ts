/**
 * The shell part of the examples for forges, as their runners carry it out, with the built cdcctl, a sandbox, and a
 * stand-in for the forge's API on loopback.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, openChangedWorld } from "../behaviour/changed-world.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const forges = suite("the examples for forges");

const TOKEN = "token-canary-5d1e";
/** What somebody calls a pull request. */
const TITLE = '$(touch pwned) `touch pwned` "; touch pwned; #\n::error::FORGED\n##vso[task.complete]FORGED';

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: string };
  readonly author: { readonly id: number };
}

/** A forge that keeps comments, of GitHub and of GitLab alike. */
interface Forge {
  readonly url: string;
  readonly comments: Comment[];
  readonly calls: string[];
  /** What it answers instead. */
  refuses: number | undefined;
  readonly tokens: Set<string>;
  close(): Promise<void>;
}

const ME = 7;

async function openForge(): Promise<Forge> {
  const state = { comments: [] as Comment[], calls: [] as string[], refuses: undefined as number | undefined };
  const tokens = new Set<string>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://forge");
    const { headers, method = "" } = request;
    tokens.add(String(headers["private-token"] ?? headers.authorization?.replace("Bearer ", "")));
    state.calls.push(`${method} ${pathname}`);
    const body = await bodyOf(request);
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (state.refuses !== undefined) return answer(state.refuses, { message: `no: ${TOKEN}`, title: TITLE });
    if (pathname.endsWith("/user")) return answer(200, { id: ME, name: TITLE });
    if (pathname.endsWith("/merge_requests")) return answer(200, [{ iid: 12, title: TITLE }]);
    if (pathname.includes("/jobs/artifacts/")) return response.end(state.comments[0]?.body);
    if (method === "GET") {
      const page = Number(searchParams.get("page")) - 1;
      return answer(200, state.comments.slice(page * 100, page * 100 + 100));
    }
    const written = String(JSON.parse(body).body);
    assert.ok(written.length <= (pathname.includes("merge_requests") ? 1_000_000 : 65_536), `${written.length}`);
    const id = Number(pathname.split("/").at(-1));
    const there = state.comments.find((one) => one.id === id);
    if (there !== undefined) there.body = written;
    else state.comments.push(comment(state.comments.length + 1, written));
    return answer(there === undefined ? 201 : 200, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    tokens,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}

const comment = (id: number, body: string, type = "Bot", author = ME): Comment => ({
  ...{ id, body, user: { type }, author: { id: author } },
});

interface Finished {
  readonly exit: number;
  readonly output: string;
}

/** A folder of a job, with cdcctl in its PATH. */
interface Job {
  readonly world: ChangedWorld;
  readonly forge: Forge;
  readonly folder: string;
  run(script: string, env?: Readonly<Record<string, string>>): Promise<Finished>;
  read(name: string): Promise<string>;
}

async function inJob(act: (job: Job) => Promise<void>): Promise<void> {
  const world = await openChangedWorld();
  const forge = await openForge();
  try {
    const folder = join(world.dir, "job");
    const bin = join(world.dir, "bin");
    await mkdir(join(folder, "changes", CONNECTOR), { recursive: true });
    await mkdir(bin);
    await command(bin, "cdcctl", `exec '${process.execPath}' '${join(ROOT, "dist/cdcctl.js")}' "$@"`);
    const text = await readFile(world.plan, "utf8");
    await writeFile(join(folder, "changes", CONNECTOR, "replay.yaml"), text);
    await writeFile(join(folder, "changes", "replay.yaml"), text);
    for (const name of ["output", "summary"]) await writeFile(join(folder, name), "");
    const job: Job = {
      world,
      forge,
      folder,
      read: (name) => readFile(join(folder, name), "utf8"),
      async run(script, env = {}) {
        const PATH = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
        const own = { ...world.env, PATH, HOME: folder, LC_ALL: "C.UTF-8", CHANGE_TITLE: TITLE };
        const finished = await inBash(script, folder, {
          ...own,
          CI_MERGE_REQUEST_TITLE: TITLE,
          PR_TITLE: TITLE,
          ...env,
        });
        assert.not.ok(existsSync(join(folder, "pwned")), finished.output);
        assert.not.match(finished.output, new RegExp(`${TOKEN}|FORGED`));
        return finished;
      },
    };
    await act(job);
  } finally {
    await forge.close();
    await world.close();
  }
}

async function command(bin: string, name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, name), 0o755);
}

/** Runs the script as the runners of GitHub and GitLab start it. */
function inBash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Finished> {
  return new Promise((resolve) => {
    const flags = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script];
    execFile("bash", flags, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const exit = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ exit, output: `${stdout}${stderr}` });
    });
  });
}

const example = (path: string) => readFile(join(ROOT, "examples", path), "utf8");

// GitHub: the composite action.

interface Action {
  readonly runs: { readonly steps: readonly { readonly name: string; readonly run: string }[] };
}
const action = parse(await example("github/action.yml")) as Action;

function step(name: string): string {
  const found = action.runs.steps.find((one) => one.name.startsWith(name));
  assert.ok(found, name);
  return found.run;
}

const github = ({ forge, folder }: Job): Readonly<Record<string, string>> => ({
  ...{ FILES: "changes/replay.yaml", HEAD: "0".repeat(40), NUMBER: "12", TOKEN, WHAT: "plan" },
  ...{ GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: folder, GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: "o/r" },
  ...{ GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") },
  ...{ GITHUB_SERVER_URL: "https://github.example", GITHUB_RUN_ID: "4711" },
});

forges("GitHub: validated, observed, planned as one comment that is updated, applied as approved, with a result", () =>
  inJob(async (job) => {
    const env = github(job);
    const { forge } = job;
    // Others may write what looks like ours, and many comments may stand before it.
    forge.comments.push(comment(1, "<!-- cdcctl plan -->\nforged", "User"));
    for (let id = 2; id <= 120; id++) forge.comments.push(comment(id, TITLE, "User"));
    for (const name of ["Validate", "Observe", "Plan"]) {
      const { exit, output } = await job.run(step(name), env);
      assert.is(exit, 0, `${name}: ${output}`);
    }
    assert.is(JSON.parse(await job.read("validate.sarif")).version, "2.1.0");
    assert.match(await job.read("output"), /^code=0$/m);
    const plan = await job.read("plan.md");
    assert.match(await job.read("summary"), plan);
    const commented = await job.run(step("Comment"), env);
    assert.is(commented.exit, 0, commented.output);
    assert.is(forge.comments.length, 121);
    const own = forge.comments.at(-1);
    assert.ok(own?.body.startsWith("<!-- cdcctl plan -->\nPlanned from 000"), own?.body);
    assert.ok(own?.body.includes(plan.trim()));
    // Again: updated in place.
    await writeFile(join(job.folder, "comment.md"), "planned again\n");
    assert.is((await job.run(step("Comment"), env)).exit, 0);
    assert.is(forge.comments.length, 121);
    assert.is(own?.body, "<!-- cdcctl plan -->\nplanned again\n");
    assert.is(forge.comments[0]?.body, "<!-- cdcctl plan -->\nforged");
    assert.equal([...forge.tokens], [TOKEN]);
    // Applied as it was approved, with a comment of its own.
    const APPROVAL = (await job.read("approval")).trim();
    const applied = await job.run(step("Apply"), { ...env, APPROVAL });
    assert.is(applied.exit, 0, applied.output);
    assert.is((await job.run(step("Comment"), { ...env, WHAT: "apply" })).exit, 0);
    assert.is(forge.comments.length, 122);
    assert.match(
      forge.comments.at(-1)?.body ?? "",
      /^<!-- cdcctl apply -->\ncdcctl apply ended with exit code 0\.\n\n### /,
    );
    assert.is((await job.world.opsEvents()).length, 2);
  }),
);

forges("GitHub: an approval of something else applies nothing, and the result says so", () =>
  inJob(async (job) => {
    const env = { ...github(job), APPROVAL: `sha256:${"0".repeat(64)}` };
    assert.is((await job.run(step("Apply"), env)).exit, 0);
    assert.match(await job.read("output"), /^code=1$/m);
    assert.match(await job.read("comment.md"), /ended with exit code 1/);
    assert.is((await job.world.opsEvents()).length, 0);
    assert.is((await job.run(step("Fail"), { CODE: "1" })).exit, 1);
    assert.is((await job.run(step("Fail"), { CODE: "0" })).exit, 0);
    assert.is((await job.run(step("Fail"), { CODE: "" })).exit, 1);
  }),
);

forges("GitHub: a plan file that is not valid fails, with an annotation at its line", () =>
  inJob(async (job) => {
    await writeFile(join(job.folder, "changes/replay.yaml"), "kind: Nothing\n");
    const { exit, output } = await job.run(step("Validate"), github(job));
    assert.is(exit, 64);
    assert.match(output, /^::error file=changes\/replay\.yaml,line=1,col=\d+,title=INPUT::/m);
  }),
);

forges("GitHub: a token that is refused ends the step, and says what it needs", () =>
  inJob(async (job) => {
    await writeFile(join(job.folder, "comment.md"), "plan\n");
    for (const status of [401, 403, 404]) {
      job.forge.refuses = status;
      const { exit, output } = await job.run(step("Comment"), github(job));
      assert.is(exit, 1);
      assert.match(output, new RegExp(`the token was refused \\(HTTP ${status}\\): it needs pull-requests write`));
    }
    job.forge.refuses = 500;
    assert.match((await job.run(step("Comment"), github(job))).output, /no comment was written \(HTTP 500\)/);
    assert.is(job.forge.comments.length, 0);
  }),
);

forges("GitHub: what is too long for a comment is replaced by where it stands", () =>
  inJob(async (job) => {
    await writeFile(join(job.folder, "comment.md"), "x".repeat(65_536));
    assert.is((await job.run(step("Comment"), github(job))).exit, 0);
    const [own] = job.forge.comments;
    assert.match(own?.body ?? "", /too long for a comment.*https:\/\/github\.example\/o\/r\/actions\/runs\/4711/);
  }),
);

// GitHub: the workflows, whose steps ask the forge by `gh`.

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }>
  >;
}
const [review, change] = (await Promise.all(
  ["github/change-review.yml", "github/change-apply.yml"].map(async (path) => parse(await example(path))),
)) as [Workflow, Workflow];

/** What a step runs, started as a runner starts steps without `shell`: no `pipefail`. */
function stepOf({ jobs }: Workflow, name: string): string {
  const found = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find((one) => one.name?.startsWith(name) === true);
  assert.ok(found?.run, name);
  return `set +o pipefail\n${found.run}`;
}

/** `gh api PATH [--jq FILTER]` and `gh run download`, over answers in a folder; another path is a 404. */
const GH = `case "$1 $2" in
  "run download")
    shift 2
    test -f "$FORGE/artifact-$1-$3" || exit 1
    mkdir -p "$5" && cp "$FORGE/artifact-$1-$3" "$5/approval"
    exit ;;
esac
shift
filter=.
path=
while [ $# -gt 0 ]; do
  case "$1" in
    --jq) filter=$2; shift ;;
    -H) shift ;;
    --paginate) ;;
    *) path=$1 ;;
  esac
  shift
done
test -n "$GH_TOKEN" || { echo "gh: no token" >&2; exit 4; }
file="$FORGE/$(printf '%s' "$path" | tr '/?=&' '____')"
test -f "$file" || { echo "gh: Not Found (HTTP 404)" >&2; exit 1; }
if [ "$filter" = . ]; then cat "$file"; else jq -r "$filter" "$file"; fi`;

const HEAD = "a".repeat(40);
const MERGED = "b".repeat(40);
const BEFORE = "c".repeat(40);

/** A repository behind `gh`, by paths of its API. */
async function inRepository(act: (job: Job, put: (path: string, answer: unknown) => Promise<void>) => Promise<void>) {
  await inJob(async (job) => {
    await command(join(job.world.dir, "bin"), "gh", GH);
    await mkdir(join(job.world.dir, "forge"));
    const put = (path: string, answer: unknown) =>
      writeFile(
        join(job.world.dir, "forge", path.replaceAll(/[/?=&]/g, "_")),
        typeof answer === "string" ? answer : JSON.stringify(answer),
      );
    await act(job, put);
  });
}

const inRepo = ({ world, folder }: Job): Readonly<Record<string, string>> => ({
  ...{ FORGE: join(world.dir, "forge"), GH_TOKEN: TOKEN, GH_REPO: "o/r", GITHUB_SHA: MERGED, BEFORE, PULL: "12" },
  ...{ GITHUB_OUTPUT: join(folder, "output"), EVENT: "workflow_dispatch" },
});

const PLAN_FILE = "changes/fetched.yaml";

/** A pull request that adds a plan file, edits nothing else that counts, and is called as nobody should call one. */
async function pulled(put: (path: string, answer: unknown) => Promise<void>, mode = "100644", size = 300) {
  const files = [
    { filename: PLAN_FILE, status: "added" },
    { filename: "changes/gone.yaml", status: "removed" },
    { filename: ".github/workflows/evil.yml", status: "added" },
  ];
  const tree = [
    { path: PLAN_FILE, mode, size, sha: "d1" },
    { path: "changes/gone.yaml", mode: "100644", size, sha: "d2" },
  ];
  await put("repos/o/r/pulls/12", { title: TITLE, head: { sha: HEAD } });
  await put("repos/o/r/pulls/12/files", files);
  await put(`repos/o/r/compare/${BEFORE}...${MERGED}`, { files });
  for (const sha of [HEAD, MERGED]) await put(`repos/o/r/git/trees/${sha}?recursive=1`, { tree });
  await put("repos/o/r/git/blobs/d1", "kind: OffsetChange\n");
}

forges("GitHub: the plan files of a pull request are fetched as data, and the same ones after the merge", () =>
  inRepository(async (job, put) => {
    await pulled(put);
    const fetch = stepOf(change, "Fetch the plan files");
    for (const [EVENT, head] of [
      ["workflow_dispatch", HEAD],
      ["push", MERGED],
    ] as const) {
      const { exit, output } = await job.run(fetch, { ...inRepo(job), EVENT });
      assert.is(exit, 0, output);
      assert.is(await job.read("output"), `files=${PLAN_FILE}\nhead=${head}\n`);
      assert.is(await job.read(PLAN_FILE), "kind: OffsetChange\n");
      await writeFile(join(job.folder, "output"), "");
    }
    // Nothing is to do where there is no plan file.
    await put("repos/o/r/pulls/12/files", [{ filename: "README.md", status: "modified" }]);
    assert.is((await job.run(fetch, inRepo(job))).exit, 0);
    assert.match(await job.read("output"), /^files=$/m);
  }),
);

forges("GitHub: what is no plan file of a plain name, mode and size is not fetched, and nothing of it is run", () =>
  inRepository(async (job, put) => {
    const fetch = stepOf(change, "Fetch the plan files");
    const fails = async (what: string, env: Readonly<Record<string, string>> = {}) => {
      const { exit } = await job.run(fetch, { ...inRepo(job), ...env });
      assert.is.not(exit, 0, what);
      assert.is(await job.read("output"), "", what);
    };
    for (const [mode, size] of [
      ["120000", 12],
      ["160000", 12],
      ["100755", 12],
      ["100644", 1_048_577],
    ] as const) {
      await pulled(put, mode, size);
      await fails(`${mode} ${size}`);
    }
    for (const filename of [
      "changes/a b.yaml",
      "changes/$(touch pwned).yaml",
      "changes/x/../../y.yaml",
      "changes/-x.yaml",
    ]) {
      await pulled(put);
      await put("repos/o/r/pulls/12/files", [{ filename, status: "added" }]);
      await fails(filename);
    }
    await pulled(put);
    for (const PULL of ["12; touch pwned", "../../user", "", "$(touch pwned)"]) await fails(PULL, { PULL });
    await put("repos/o/r/pulls/12", { head: { sha: "main; touch pwned" } });
    await fails("a commit that is none");
    await fails("no token", { GH_TOKEN: "" });
  }),
);

/** What was reviewed: the run of this workflow on the default branch, and its approval. */
async function reviewedBy(
  put: (path: string, answer: unknown) => Promise<void>,
  { branch = "main", path = ".github/workflows/change-apply.yml", event = "workflow_dispatch", expired = false } = {},
  approval = `sha256:${"7".repeat(64)}\n`,
) {
  await put(`repos/o/r/commits/${MERGED}/pulls`, [{ number: 12, title: TITLE, head: { sha: HEAD } }]);
  const artifacts = [{ expired, workflow_run: { id: 99, head_branch: branch } }];
  await put(`repos/o/r/actions/artifacts?name=cdcctl-approval-${HEAD}`, { artifacts });
  await put("repos/o/r/actions/runs/99", { path, event });
  await put(`artifact-99-cdcctl-approval-${HEAD}`, approval);
}

forges("GitHub: what was reviewed comes from a run of this workflow on the default branch, and from no other", () =>
  inRepository(async (job, put) => {
    const fetch = stepOf(change, "Fetch the approval");
    await reviewedBy(put);
    const { exit, output } = await job.run(fetch, inRepo(job));
    assert.is(exit, 0, output);
    assert.is(await job.read("output"), `approval=sha256:${"7".repeat(64)}\npull=12\n`);
    await writeFile(join(job.folder, "output"), "");
    for (const [other, approval] of [
      [{ branch: "evil" }],
      [{ path: ".github/workflows/evil.yml" }],
      [{ event: "pull_request" }],
      [{ expired: true }],
      [{}, "sha256:7; touch pwned\n"],
      [{}, ""],
    ] as const) {
      await reviewedBy(put, other, approval);
      const refused = await job.run(fetch, inRepo(job));
      assert.is.not(refused.exit, 0, JSON.stringify(other));
      assert.is(await job.read("output"), "");
    }
    await reviewedBy(put);
    await put(`repos/o/r/commits/${MERGED}/pulls`, []);
    assert.is.not((await job.run(fetch, inRepo(job))).exit, 0, "a commit of no pull request");
  }),
);

forges("GitHub: cdcctl is installed as the default branch has it, without scripts", () =>
  inRepository(async (job, put) => {
    await command(join(job.world.dir, "bin"), "npm", 'echo "$@" > npm; cat "./tools/cdcctl-0.1.0.tgz" >> npm');
    await put(`repos/o/r/contents/tools/cdcctl-0.1.0.tgz?ref=${MERGED}`, "packed");
    const { exit, output } = await job.run(stepOf(change, "Install cdcctl"), inRepo(job));
    assert.is(exit, 0, output);
    assert.is(await job.read("npm"), "install -g --ignore-scripts ./tools/cdcctl-0.1.0.tgz\npacked");
    assert.is.not((await job.run(stepOf(change, "Install cdcctl"), { ...inRepo(job), GITHUB_SHA: HEAD })).exit, 0);
  }),
);

forges("GitHub: a pull request's plan files are named by git, and a hostile name ends the job", () =>
  inJob(async (job) => {
    const { CI_MERGE_REQUEST_DIFF_BASE_SHA: BASE = "" } = await merge(job);
    const env = { BASE, GITHUB_OUTPUT: join(job.folder, "output") };
    const named = stepOf(review, "Name the plan files");
    assert.is((await job.run(named, env)).exit, 1, "that of GitLab's example is in a folder");
    const commit = "git add -A changes && git -c user.name=x -c user.email=x@x commit -q -m c";
    await job.run(`rm -r changes/${CONNECTOR} && ${commit}`);
    assert.is((await job.run(named, env)).exit, 0);
    assert.is(await job.read("output"), "files=changes/replay.yaml\n");
    await writeFile(join(job.folder, "changes/a $(touch pwned).yaml"), "x");
    await job.run(commit);
    assert.is((await job.run(named, env)).exit, 1);
  }),
);

// GitLab.

type Lines = string | readonly Lines[];
const gitlab = parse(await example("gitlab/.gitlab-ci.yml")) as Readonly<Record<string, { readonly script: Lines }>>;
const scriptOf = (job: string): string => [gitlab[job]?.script ?? assert.unreachable(job)].flat(9).join("\n");

async function merge({ run, forge }: Job): Promise<Readonly<Record<string, string>>> {
  const git = "git -c user.name=x -c user.email=x@x -c init.defaultBranch=main";
  const before = `${git} init -q && ${git} commit -q --allow-empty -m a && git rev-parse HEAD`;
  const script = `${before} && git add changes && ${git} commit -q -m b && git rev-parse HEAD`;
  const [base = "", head = ""] = (await run(script)).output.split("\n");
  return {
    ...{ CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_COMMIT_SHA: head, CI_COMMIT_BEFORE_SHA: base, CI: "true" },
    ...{
      CI_API_V4_URL: `${forge.url}/api/v4`,
      CI_PROJECT_ID: "42",
      CI_MERGE_REQUEST_IID: "12",
      CDCCTL_NOTE_TOKEN: TOKEN,
    },
    ...{ CI_JOB_URL: "https://gitlab.example/job/1", GITLAB_CI: "true" },
  };
}

forges("GitLab: validated, observed, planned with a widget and one note that is updated, applied as approved", () =>
  inJob(async (job) => {
    const env = await merge(job);
    const { forge } = job;
    forge.comments.push(comment(1, "<!-- cdcctl plan -->\nforged", "User", 8));
    for (const name of ["validate", "observe", "plan", "plan"]) {
      const { exit, output } = await job.run(scriptOf(name), env);
      assert.is(exit, 0, `${name}: ${output}`);
      if (name === "plan") assert.is(forge.comments.length, 2);
    }
    assert.match(await job.read("validate.xml"), /<testsuites /);
    assert.equal(JSON.parse(await job.read("reports/terraform-report.json")), { create: 0, update: 1, delete: 0 });
    const findings = JSON.parse(await job.read("reports/gl-code-quality-report.json"));
    assert.is(findings[0].location.path, `changes/${CONNECTOR}/replay.yaml`);
    const note = forge.comments[1]?.body ?? "";
    assert.ok(note.startsWith(`<!-- cdcctl plan -->\nPlanned from ${env["CI_COMMIT_SHA"]}.\n\n### `), note);
    assert.is(forge.calls.filter((call) => call.startsWith("POST")).length, 1);
    assert.is(forge.calls.filter((call) => call.startsWith("PUT")).length, 1);
    assert.equal([...forge.tokens], [TOKEN]);
    // The approval of the merge request's job is fetched by the forge's API.
    forge.comments.unshift(comment(99, await job.read("approval")));
    const { CI_MERGE_REQUEST_DIFF_BASE_SHA: _no, ...after } = env;
    const applied = await job.run(scriptOf(".apply"), after);
    assert.is(applied.exit, 0, applied.output);
    assert.is((await job.world.opsEvents()).length, 2);
    // No approval: nothing.
    forge.comments.unshift(comment(100, "<html>sign in</html>"));
    assert.is((await job.run(scriptOf(".apply"), after)).exit, 1);
  }),
);

forges("GitLab: a refused token, a note that is too long, and a name that is none", () =>
  inJob(async (job) => {
    const env = await merge(job);
    assert.is((await job.run(scriptOf("observe"), env)).exit, 0);
    job.forge.refuses = 401;
    const refused = await job.run(scriptOf("plan"), env);
    assert.is(refused.exit, 1);
    assert.match(refused.output, /the token was refused \(HTTP 401\): CDCCTL_NOTE_TOKEN needs the scope api/);
    job.forge.refuses = undefined;
    const long = `cdcctl() { printf '%01000001d' 0; }\n${scriptOf("plan")}`;
    assert.is((await job.run(long, env)).exit, 0);
    assert.match(
      job.forge.comments[0]?.body ?? "",
      /too long for a note: see plan\.md .*https:\/\/gitlab\.example\/job\/1/,
    );
    const name = join(job.folder, "changes", CONNECTOR, "a $(touch pwned).yaml");
    await writeFile(name, "x");
    await job.run("git add changes && git -c user.name=x -c user.email=x@x commit -q -m c");
    const wrong = await job.run(scriptOf("validate"), env);
    assert.is(wrong.exit, 1);
    assert.match(wrong.output, /a plan file has a name with other characters/);
  }),
);

// Jenkins, and before a commit.

const jenkins = [...(await example("jenkins/Jenkinsfile")).matchAll(/sh '''\n([\s\S]*?)'''/g)].map(([, script = ""]) =>
  // Groovy reads it like this.
  script.replaceAll("\\n", "\n").replaceAll("\\\\", "\\"),
);

forges("Jenkins: validated, planned with reports, applied as approved", () =>
  inJob(async (job) => {
    const env = { CONNECTOR, CI: "true" };
    const [validate = "", plan = "", apply = ""] = jenkins;
    assert.is(jenkins.length, 3);
    for (const script of [validate, plan, apply]) {
      const { exit, output } = await job.run(script, env);
      assert.is(exit, 0, output);
    }
    const reports = ["approval", "facts.json", "plan.html", "plan.json", "plan.sarif", "plan.xml", "validate.sarif"];
    assert.equal((await readdir(join(job.folder, "reports"))).sort(), reports);
    assert.is((await job.world.opsEvents()).length, 2);
    const hostile = await job.run(validate, { ...env, CONNECTOR: "x; touch pwned" });
    assert.is.not(hostile.exit, 0);
    await writeFile(join(job.folder, "reports/approval"), `sha256:${"0".repeat(64)}\n`);
    assert.is.not((await job.run(apply, env)).exit, 0);
  }),
);

forges("before a commit: what is valid passes, what is not stops it with line and column", () =>
  inJob(async (job) => {
    const { repos } = parse(await example("pre-commit/.pre-commit-config.yaml"));
    const [{ entry, files }] = repos[0].hooks;
    const path = "changes/replay.yaml";
    assert.match(path, new RegExp(files));
    assert.is((await job.run(`${entry} ${path}`)).exit, 0);
    await writeFile(join(job.folder, path), (await job.read(path)).replace("spec:", "spce:"));
    const { exit, output } = await job.run(`${entry} ${path}`);
    assert.is(exit, 64);
    assert.match(output, /^changes\/replay\.yaml:\d+:\d+: /m);
  }),
);

forges("each begins with where a run's journal lives, and what can be done without it", async () => {
  const paths = ["github/action.yml", "github/change-review.yml", "github/change-apply.yml", "gitlab/.gitlab-ci.yml"];
  for (const path of [...paths, "jenkins/Jenkinsfile", "pre-commit/.pre-commit-config.yaml"]) {
    const text = await example(path);
    assert.match(text, /^(?:#|\/\/) The run's journal/, path);
    assert.match(text.slice(0, 700), /recover --from-ops/, path);
  }
});

forges.run();
