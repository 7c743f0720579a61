import { readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { Refusal } from "../core/errors.ts";
import { counted } from "../core/values/amounts.ts";
import { shellLine } from "../core/values/shell-word.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the system says of a file or folder. */
export interface FileSeen {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  /** `own`: it decides itself. `above`: a folder on the way to what decides. */
  readonly is: "own" | "above";
  /** Whether it is a file that a forge has written for one job, or on the way to one. */
  readonly forJob?: boolean | undefined;
}

/** Who cdcctl is to the system. */
export interface Process {
  /** Undefined where the platform has no owners. */
  readonly uid: number | undefined;
  readonly gids: readonly number[];
  /** The id shown for owners that a rootless container can't tell apart; undefined outside of one. */
  readonly unmapped?: number | undefined;
  readonly inPod?: boolean;
}

/** Who else may write a file. */
export interface Writers {
  readonly verdict: "ok" | "warn" | "refuse";
  /** `everybody on this host can write to it`; empty for `ok`. */
  readonly why: string;
  /** The option of `chmod` that takes the right away. */
  readonly chmod?: "o-w" | "g-w";
}

interface Rule extends Writers {
  readonly applies: (seen: FileSeen, process: Process) => boolean;
}

const STICKY = 0o1000;
const SET_GROUP = 0o2000;
const GROUP_WRITES = 0o020;
const ALL_WRITE = 0o002;

/** The first rule that applies counts. */
const RULES: readonly Rule[] = [
  {
    verdict: "warn",
    why: "this platform shows no owners, so who else can write to it was not checked",
    applies: (_, { uid }) => uid === undefined,
  },
  {
    // Nobody renames or deletes what is another user's in a sticky folder.
    verdict: "ok",
    why: "",
    applies: ({ is, mode, forJob }) =>
      is === "above" && ((mode & ALL_WRITE) === 0 || (mode & STICKY) !== 0 || forJob === true),
  },
  {
    verdict: "warn",
    why: "its owner is not one of this container's users, so it was not checked",
    applies: ({ is, uid, mode }, { unmapped }) => is === "own" && uid === unmapped && (mode & ALL_WRITE) === 0,
  },
  {
    verdict: "refuse",
    why: "it belongs to a user other than this one or root",
    applies: ({ is, uid: owner }, { uid, unmapped }) =>
      is === "own" && owner !== uid && owner !== 0 && owner !== unmapped,
  },
  {
    verdict: "warn",
    why: "everybody in this job's container can write to it",
    applies: ({ mode, forJob }) => (mode & ALL_WRITE) !== 0 && forJob === true,
  },
  {
    verdict: "warn",
    why: "everybody in this pod can write to it",
    applies: ({ uid, gid, mode }, { gids, inPod }) =>
      (mode & ALL_WRITE) !== 0 && inPod === true && uid === 0 && (mode & SET_GROUP) !== 0 && gids.includes(gid),
  },
  {
    verdict: "refuse",
    why: "everybody on this host can write to it",
    chmod: "o-w",
    applies: ({ mode }) => (mode & ALL_WRITE) !== 0,
  },
  {
    verdict: "warn",
    why: "its group, to which this user belongs, can write to it",
    chmod: "g-w",
    applies: ({ gid, mode }, { gids }) => (mode & GROUP_WRITES) !== 0 && gids.includes(gid),
  },
  {
    verdict: "refuse",
    why: "a group to which this user does not belong can write to it",
    chmod: "g-w",
    applies: ({ mode }) => (mode & GROUP_WRITES) !== 0,
  },
];

/**
 * Judges who may write what decides: a contexts file, which names hosts for logins and a command to run, the journals
 * that `recover` and `rollback` go by, the job of a verification.
 */
export function writersOf(seen: FileSeen, process: Process): Writers {
  return RULES.find(({ applies }) => applies(seen, process)) ?? { verdict: "ok", why: "" };
}

/**
 * Looks at files and folders that decide, and at the folders above them, links followed and not. What does not exist,
 * and what is neither file nor folder, such as a pipe that the operator named, is passed over.
 *
 * @returns warnings for the operator, one a reason
 * @throws Refusal `STA702` naming the first that another user may write
 */
export async function demandOwn(paths: readonly string[], env: Env): Promise<readonly string[]> {
  const self = await processOf(env);
  const warned = new Map<string, string[]>();
  for (const [path, { is, forJob }] of await places(paths, env)) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined || !(stats.isFile() || stats.isDirectory())) continue;
    const { uid, gid, mode } = stats;
    const { verdict, why, chmod } = writersOf({ uid, gid, mode, is, forJob }, self);
    const bits = (mode & 0o7777).toString(8).padStart(4, "0");
    const text = `${path}: ${why} (owner ${uid}, group ${gid}, mode ${bits})`;
    if (verdict === "warn") warned.set(why, [...(warned.get(why) ?? []), text]);
    if (verdict !== "refuse") continue;
    const command = chmod === undefined ? shellLine("chown", String(self.uid), path) : shellLine("chmod", chmod, path);
    throw new Refusal("STA702", `${text}. It decides where logins go or what is sent, so it was not used`, [
      "Find out who has changed it, and check its content.",
      { text: "Then restrict it", command },
    ]);
  }
  return [...warned.values()].map(([first = "", ...more]) =>
    more.length === 0 ? first : `${first}; the same holds for ${counted(more.length, "other path")}`,
  );
}

/** What decides first, then the folders on the way to it. */
async function places(paths: readonly string[], env: Env) {
  const own = new Map<string, Pick<FileSeen, "is" | "forJob">>();
  const above: typeof own = new Map();
  for (const path of paths) {
    if ((await realpath(path).catch(() => undefined)) === undefined) continue;
    const forJob = isForJob(resolve(path), env);
    const folders: string[] = [];
    own.set(await follow(from(process.cwd(), path), folders), { is: "own", forJob });
    for (const folder of folders) above.set(folder, { is: "above", forJob });
  }
  return new Map([...own, ...[...above].filter(([folder]) => !own.has(folder))]);
}

/** More than any path leads through: somebody makes links go round meanwhile, in a folder that was seen by then. */
const MOST_FOLDERS = 100_000;

/**
 * Follows a path name by name, as the system does. @param folders gets each in which a name is looked up, a link in the
 * middle included: whoever may write it decides where the path leads
 */
async function follow(path: string, folders: string[]): Promise<string> {
  if (path === dirname(path) || folders.length > MOST_FOLDERS) return path;
  const folder = await follow(dirname(path), folders);
  folders.push(folder);
  const at = join(folder, basename(path));
  const link = await readlink(at).catch(() => undefined);
  return link === undefined ? at : follow(from(folder, link), folders);
}

/** Not `resolve`: what `..` leaves may be a link. */
function from(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}${sep}${path}`;
}

/** GitLab writes variables of type file there, in a container of the job's own with umask 0000. */
function isForJob(path: string, { GITLAB_CI: gitLab, CI_PROJECT_DIR: project }: Env): boolean {
  return gitLab === "true" && project !== undefined && path.startsWith(join(`${project}.tmp`, sep));
}

async function processOf({ KUBERNETES_SERVICE_HOST: pod }: Env): Promise<Process> {
  const gids = [process.getegid?.() ?? [], process.getgroups?.() ?? []].flat();
  return { uid: process.geteuid?.(), gids, unmapped: await unmappedId(), inPod: pod !== undefined };
}

/** The id for all owners outside the user namespace, where this process is in one that does not hold all of them. */
async function unmappedId(): Promise<number | undefined> {
  const map = await readFile("/proc/self/uid_map", "utf8").catch(() => "");
  if (map === "" || /^\s*0\s+0\s+4294967295\s*$/.test(map)) return undefined;
  return Number(await readFile("/proc/sys/kernel/overflowuid", "utf8").catch(() => "65534"));
}
