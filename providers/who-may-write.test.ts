import { spawnSync } from "node:child_process";
import { chmod, chown, lchown, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type FileSeen, type Process, type Writers, writersOf } from "./who-may-write.ts";

const writing = suite("who may write what decides");

const OPERATOR = 1000;
const OTHER = 1005;
const TEAM = 2000;
const self: Process = { uid: OPERATOR, gids: [OPERATOR, TEAM] };
const root: Process = { uid: 0, gids: [0] };
const rootless: Process = { uid: 0, gids: [0], unmapped: 65534 };
const pod: Process = { uid: OPERATOR, gids: [OPERATOR, TEAM], inPod: true };

type Case = readonly [what: string, seen: Partial<FileSeen> & { mode: number }, process: Process, Writers["verdict"]];

const CASES: readonly Case[] = [
  ["one's own file", { mode: 0o600 }, self, "ok"],
  ["one's own file that all can read", { mode: 0o644 }, self, "ok"],
  ["root's file", { uid: 0, gid: 0, mode: 0o644 }, self, "ok"],
  ["another user's file", { uid: OTHER, mode: 0o600 }, self, "refuse"],
  ["another user's file that only reads", { uid: OTHER, mode: 0o444 }, self, "refuse"],
  ["a user's file, for root", { uid: OPERATOR, mode: 0o600 }, root, "refuse"],
  ["a file that all can write", { mode: 0o666 }, self, "refuse"],
  ["root's file that all can write", { uid: 0, gid: 0, mode: 0o666 }, self, "refuse"],
  ["a file that only others can write", { mode: 0o602 }, self, "refuse"],
  ["umask 002: one's own group can write it", { gid: OPERATOR, mode: 0o664 }, self, "warn"],
  ["umask 002: a folder of one's own group", { gid: TEAM, mode: 0o2775 }, self, "warn"],
  ["a group that one is not in can write it", { gid: OTHER, mode: 0o660 }, self, "refuse"],
  ["root's file that a foreign group can write", { uid: 0, gid: OTHER, mode: 0o660 }, self, "refuse"],
  ["a mounted Secret", { uid: 0, gid: 0, mode: 0o644 }, pod, "ok"],
  ["a mounted Secret of the pod's group", { uid: 0, gid: TEAM, mode: 0o440 }, pod, "ok"],
  ["the folder of a mounted Secret", { uid: 0, gid: 0, mode: 0o1777, is: "above" }, pod, "ok"],
  ["the folder of a Secret with fsGroup", { uid: 0, gid: TEAM, mode: 0o3777, is: "above" }, pod, "ok"],
  ["a volume with fsGroup", { uid: 0, gid: TEAM, mode: 0o2775 }, pod, "warn"],
  ["a file in a volume with fsGroup", { uid: OPERATOR, gid: TEAM, mode: 0o660 }, pod, "warn"],
  ["an emptyDir with fsGroup", { uid: 0, gid: TEAM, mode: 0o2777 }, pod, "warn"],
  ["a folder above of an emptyDir with fsGroup", { uid: 0, gid: TEAM, mode: 0o2777, is: "above" }, pod, "warn"],
  ["the same mode outside of a pod", { uid: 0, gid: TEAM, mode: 0o2777 }, self, "refuse"],
  ["an emptyDir of another group", { uid: 0, gid: OTHER, mode: 0o2777 }, pod, "refuse"],
  ["a forge's file variable", { uid: 0, gid: 0, mode: 0o666, forJob: true }, self, "warn"],
  ["a forge's file variable, for root", { uid: 0, gid: 0, mode: 0o666, forJob: true }, root, "warn"],
  ["a forge's file variable by its own umask", { uid: 0, gid: 0, mode: 0o644, forJob: true }, self, "ok"],
  ["another user's file among them", { uid: OTHER, mode: 0o666, forJob: true }, self, "refuse"],
  ["a forge's folder", { uid: 0, gid: 0, mode: 0o777, is: "above", forJob: true }, self, "ok"],
  ["a Jenkins secret file", { mode: 0o400 }, self, "ok"],
  ["the folder of a Jenkins secret file", { mode: 0o700 }, self, "ok"],
  ["a rootless container: one's own file is root's", { uid: 0, gid: 0, mode: 0o600 }, rootless, "ok"],
  ["a rootless container: the host's file is nobody's", { uid: 65534, gid: 65534, mode: 0o644 }, rootless, "warn"],
  [
    "a rootless container: nobody's file that all can write",
    { uid: 65534, gid: 65534, mode: 0o666 },
    rootless,
    "refuse",
  ],
  ["nobody's file outside of one", { uid: 65534, gid: 65534, mode: 0o644 }, self, "refuse"],
  ["a platform without owners", { uid: 0, gid: 0, mode: 0o666 }, { uid: undefined, gids: [] }, "warn"],
  ["a folder above that all can write", { mode: 0o777, is: "above" }, self, "refuse"],
  ["a sticky folder above", { uid: 0, gid: 0, mode: 0o1777, is: "above" }, self, "ok"],
  ["another user's folder above", { uid: OTHER, gid: OTHER, mode: 0o755, is: "above" }, self, "ok"],
  ["a folder above that a foreign group can write", { uid: OTHER, gid: OTHER, mode: 0o775, is: "above" }, self, "ok"],
  ["a sticky folder that decides itself", { uid: 0, gid: 0, mode: 0o1777 }, self, "refuse"],
];

for (const [what, seen, process, verdict] of CASES) {
  writing(`${what}: ${verdict}`, () => {
    const came = writersOf({ uid: OPERATOR, gid: OPERATOR, is: "own", ...seen }, process);
    assert.is(came.verdict, verdict, came.why);
    assert.is(came.why === "", verdict === "ok");
  });
}

writing("a platform without owners says that nothing was checked", () => {
  const { why } = writersOf({ uid: 0, gid: 0, mode: 0o666, is: "own" }, { uid: undefined, gids: [] });
  assert.match(why, /this platform shows no owners, so who else can write to it.* was not checked/);
});

writing.run();

const looking = suite<{ place: string }>("real files");
looking.before.each(async (context) => {
  context.place = await mkdtemp(join(tmpdir(), "cdcctl-writers-"));
  await chmod(context.place, 0o755);
});
looking.after.each(({ place }) => rm(place, { recursive: true, force: true }));

const CAN_BE_ANOTHER = process.geteuid?.() === 0 && spawnSync("setpriv", ["--reuid", "1000", "true"]).status === 0;

/** Adds a test that looks as another user; where this process can't be one, it is skipped and said. */
function looks(what: string, test: (context: { place: string }) => Promise<void>): void {
  if (CAN_BE_ANOTHER) return void looking(what, test);
  process.stdout.write(`NOT RUN  ${what}: only root, with setpriv, can become another user\n`);
  looking.skip(what, test);
}

interface Looked {
  readonly warnings?: readonly string[];
  readonly refused?: string;
  readonly remedies?: readonly string[];
}

/** Looks as another user, in a process of its own. */
function look(paths: readonly string[], env: Record<string, string> = {}, before: readonly string[] = []): Looked {
  const words = ["--reuid", String(OPERATOR), "--regid", String(OPERATOR), "--groups", `${OPERATOR},${TEAM}`, "--"];
  const become = before.length > 0 ? before : ["setpriv", ...words];
  const [program = "", ...rest] = become;
  const script = `import { demandOwn } from "./providers/who-may-write.ts";
    import { lineOf } from "./core/values/remedy.ts";
    if (process.env.NO_OWNERS) process.geteuid = undefined;
    console.log(JSON.stringify(await demandOwn(process.argv.slice(1), process.env).then((warnings) => ({ warnings }),
      ({ code, message, remedies }) => ({ refused: code + " " + message, remedies: remedies.map(lineOf) }))));`;
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", script, ...paths];
  const { stdout, stderr } = spawnSync(program, [...rest, ...node], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir(), TSX_DISABLE_CACHE: "1", ...env },
  });
  assert.match(stdout, /^\{/, stderr);
  return JSON.parse(stdout) as Looked;
}

interface Made {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

async function make(path: string, { uid, gid, mode }: Made, folder?: Made): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "contexts: {}\n");
  await chown(path, uid, gid);
  await chmod(path, mode);
  if (folder !== undefined) {
    await chown(dirname(path), folder.uid, folder.gid);
    await chmod(dirname(path), folder.mode);
  }
  return path;
}

const OWN = { uid: OPERATOR, gid: OPERATOR };
const ROOT = { uid: 0, gid: 0 };
const FS_GROUP = { uid: 0, gid: TEAM };

/** [what, how it is made, its environment, what is said]. Empty: nothing is. */
const PLACES: readonly (readonly [
  what: string,
  make: (place: string) => Promise<string>,
  env: (place: string) => Record<string, string>,
  says: RegExp | "",
])[] = [
  [
    "a file of umask 002",
    (at) => make(join(at, "c", "f"), { ...OWN, mode: 0o664 }, { ...OWN, mode: 0o775 }),
    () => ({}),
    /f: its group, to which this user belongs, can write to it/,
  ],
  [
    "a mounted Secret",
    async (at) => {
      await make(join(at, "s", "..2026_11", "f"), { ...ROOT, mode: 0o644 });
      await chmod(join(at, "s"), 0o1777);
      await symlink("..2026_11", join(at, "s", "..data"));
      await symlink(join("..data", "f"), join(at, "s", "f"));
      return join(at, "s", "f");
    },
    () => ({ KUBERNETES_SERVICE_HOST: "10.0.0.1" }),
    "",
  ],
  [
    "a mounted Secret with fsGroup",
    async (at) => {
      await make(join(at, "s", "..2026_11", "f"), { ...FS_GROUP, mode: 0o440 }, { ...FS_GROUP, mode: 0o2755 });
      await chown(join(at, "s"), 0, TEAM);
      await chmod(join(at, "s"), 0o3777);
      await symlink("..2026_11", join(at, "s", "..data"));
      await symlink(join("..data", "f"), join(at, "s", "f"));
      return join(at, "s", "f");
    },
    () => ({ KUBERNETES_SERVICE_HOST: "10.0.0.1" }),
    "",
  ],
  [
    "a volume with fsGroup",
    (at) => make(join(at, "v", "f"), { ...FS_GROUP, mode: 0o660 }, { ...FS_GROUP, mode: 0o2775 }),
    () => ({}),
    /f: its group, to which this user belongs, can write to it/,
  ],
  [
    "a forge's file variable",
    async (at) => {
      const path = await make(join(at, "builds", "shop", "cdc.tmp", "CONTEXTS"), { ...ROOT, mode: 0o666 });
      for (const folder of ["builds", "builds/shop", "builds/shop/cdc.tmp"]) await chmod(join(at, folder), 0o777);
      return path;
    },
    (at) => ({ GITLAB_CI: "true", CI_PROJECT_DIR: join(at, "builds/shop/cdc") }),
    /CONTEXTS: everybody in this job's container can write to it/,
  ],
  [
    "a Jenkins secret file",
    (at) => make(join(at, "ws@tmp", "secretFiles", "f"), { ...OWN, mode: 0o400 }, { ...OWN, mode: 0o700 }),
    () => ({ JENKINS_URL: "http://j" }),
    "",
  ],
  [
    "a platform without owners",
    (at) => make(join(at, "f"), { uid: OTHER, gid: OTHER, mode: 0o666 }),
    () => ({ NO_OWNERS: "1" }),
    /f: this platform shows no owners/,
  ],
];

for (const [what, made, env, says] of PLACES) {
  looks(`${what} needs no override`, async ({ place }) => {
    const looked = look([await made(place)], env(place));
    assert.is(looked.refused, undefined);
    assert.is(looked.warnings?.length, says === "" ? 0 : 1, looked.warnings?.join("\n"));
    if (says !== "") assert.match(looked.warnings?.[0] ?? "", says);
  });
}

/** [what, how it is made, what is refused, its remedy]. */
const REFUSED: readonly (readonly [
  what: string,
  make: (place: string) => Promise<string>,
  says: RegExp,
  remedy: RegExp,
])[] = [
  [
    "another user's file",
    (at) => make(join(at, "f"), { uid: OTHER, gid: OTHER, mode: 0o644 }),
    /STA702 .*f: it belongs to a user other than this one or root \(owner 1005, group 1005, mode 0644\)/,
    /chown 1000 \S+f$/,
  ],
  [
    "a file that all can write",
    (at) => make(join(at, "f"), { ...OWN, mode: 0o666 }),
    /f: everybody on this host can write to it/,
    /chmod o-w \S+f$/,
  ],
  [
    "the same as a job's file elsewhere",
    (at) => make(join(at, "builds/shop/cdc/f"), { ...ROOT, mode: 0o666 }),
    /f: everybody on this host can write to it/,
    /chmod o-w/,
  ],
  [
    "a file that a foreign group can write",
    (at) => make(join(at, "f"), { uid: OPERATOR, gid: OTHER, mode: 0o664 }),
    /f: a group to which this user does not belong can write to it/,
    /chmod g-w \S+f$/,
  ],
  [
    "a file below a folder that all can write",
    (at) => make(join(at, "w", "f"), { ...OWN, mode: 0o600 }, { ...ROOT, mode: 0o777 }),
    /w: everybody on this host can write to it/,
    /chmod o-w \S+w$/,
  ],
  [
    "a link to another user's file",
    async (at) => {
      await make(join(at, "theirs"), { uid: OTHER, gid: OTHER, mode: 0o644 });
      await symlink(join(at, "theirs"), join(at, "f"));
      await lchown(join(at, "f"), OPERATOR, OPERATOR);
      return join(at, "f");
    },
    /theirs: it belongs to a user other than/,
    /chown/,
  ],
  [
    "a link through a folder that all can write",
    async (at) => {
      await make(join(at, "f"), { ...OWN, mode: 0o600 });
      await mkdir(join(at, "w"));
      await chmod(join(at, "w"), 0o777);
      await symlink(join(at, "f"), join(at, "w", "f"));
      await symlink(join("w", "f"), join(at, "l"));
      return join(at, "l");
    },
    /w: everybody on this host can write to it/,
    /chmod o-w/,
  ],
  [
    "a link in the middle of a path, to one in a folder that all can write",
    async (at) => {
      await make(join(at, "good", "f"), { ...OWN, mode: 0o600 }, { ...OWN, mode: 0o700 });
      await mkdir(join(at, "w"));
      await chmod(join(at, "w"), 0o777);
      await symlink(join("..", "good"), join(at, "w", "way"));
      await symlink(join("w", "way"), join(at, "l"));
      return join(at, "l", "f");
    },
    /w: everybody on this host can write to it/,
    /chmod o-w \S+w$/,
  ],
  [
    "what a path leaves again through a link, out of a folder that all can write",
    async (at) => {
      await make(join(at, "f"), { ...OWN, mode: 0o600 });
      await make(join(at, "w", "f"), { ...OWN, mode: 0o600 }, { ...OWN, mode: 0o777 });
      await mkdir(join(at, "w", "deep"));
      await symlink(join("w", "deep"), join(at, "l"));
      // The system's `..` is that of w/deep, not of the link.
      return `${at}/l/../f`;
    },
    /w: everybody on this host can write to it/,
    /chmod o-w \S+w$/,
  ],
  [
    "a link in a folder that all can write",
    async (at) => {
      await make(join(at, "f"), { ...OWN, mode: 0o600 });
      await mkdir(join(at, "w"));
      await chmod(join(at, "w"), 0o777);
      await symlink(join(at, "f"), join(at, "w", "f"));
      return join(at, "w", "f");
    },
    /w: everybody on this host can write to it/,
    /chmod o-w/,
  ],
];

for (const [what, made, says, remedy] of REFUSED) {
  looks(`${what} is refused`, async ({ place }) => {
    const looked = look([await made(place)], { GITLAB_CI: "true", CI_PROJECT_DIR: join(place, "builds/shop/cdc") });
    assert.match(looked.refused ?? looked.warnings?.join() ?? "", says);
    assert.match(looked.remedies?.at(-1) ?? "", remedy);
  });
}

const words = ["setpriv", "--reuid", String(OPERATOR), "--regid", String(OPERATOR), "--clear-groups", "--"];
const ROOT_IN: readonly string[] = [...words, "unshare", "--user", "--map-root-user"];
const ROOTLESS = "a rootless container takes its own files, and warns of those whose owner it can't tell";
if (CAN_BE_ANOTHER && spawnSync(ROOT_IN[0] ?? "", [...ROOT_IN.slice(1), "true"]).status !== 0)
  process.stdout.write(`NOT RUN  ${ROOTLESS}: a user namespace is not allowed here\n`);
else
  looks(ROOTLESS, async ({ place }) => {
    const own = await make(join(place, "own"), { uid: OPERATOR, gid: OPERATOR, mode: 0o600 });
    const hosts = await make(join(place, "hosts"), { ...ROOT, mode: 0o644 });
    assert.equal(look([own], {}, ROOT_IN), { warnings: [] });
    assert.match(
      look([hosts], {}, ROOT_IN).warnings?.join() ?? "",
      /hosts: its owner is not one of this container's users/,
    );
  });

looks("many files of one kind are one warning", async ({ place }) => {
  const made = ["a", "b", "c"].map((name) => make(join(place, name), { ...OWN, mode: 0o664 }));
  const { warnings = [] } = look(await Promise.all(made));
  assert.is(warnings.length, 1);
  assert.match(warnings[0] ?? "", /a: its group, to which this user belongs, .*; the same holds for 2 other paths$/);
});

looks("a pipe that the operator named, and what is not there, is passed over", async ({ place }) => {
  const pipe = join(place, "pipe");
  spawnSync("mkfifo", ["-m", "666", pipe]);
  assert.equal(look([pipe, join(place, "nowhere")]), { warnings: [] });
});

looking.run();
