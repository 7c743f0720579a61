import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { SharedBrokers } from "../../core/change/ops-topics.ts";
import type { StoredRun } from "../../core/change/stored-runs.ts";
import type { Target } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import type { StatePort } from "../../core/ports/state.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import type { Host } from "../host.ts";
import { warningsTo } from "../screen.ts";
import type { OpenWorld, WorldFlags } from "./open-world.ts";

/**
 * `--state`, `CDCCTL_STATE`, `$XDG_STATE_HOME/cdcctl`, `~/.local/state/cdcctl`: opens the first that is set. Empty
 * variables and a relative `XDG_STATE_HOME` are ignored (XDG Base Directory Specification).
 */
export function openState(flags: { readonly state?: string | undefined }, host: Host): StatePort {
  return stateDirectory(flags.state ?? stateFolder(host));
}

/**
 * Looks at what a run is continued or rolled back by, before anything is opened for it.
 *
 * @throws Refusal `STA702` if another user may write it
 */
export async function demandOwnState(
  store: StatePort,
  of: { readonly clusterId: string; readonly connector: string },
  host: Host,
): Promise<void> {
  (await store.demandOwn(of, host.env)).forEach(warningsTo(host));
}

/** The state folder if `--state` is not given. */
export function stateFolder(host: Host): string {
  return host.env["CDCCTL_STATE"] || join(standardFolder(host), "cdcctl");
}

function standardFolder(host: Host): string {
  const xdg = host.env["XDG_STATE_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  const home = homeOf(host);
  if (home !== undefined) return join(home, ".local", "state");
  throw new UsageError("no home folder to keep the state in", "Pass --state, or set CDCCTL_STATE.");
}

/**
 * The operator's home folder, if any. Never the working folder: that may be a checkout of a pull request, and files in
 * the home folder decide who gets credentials.
 */
export function homeOf({ env }: Host): string | undefined {
  const named = env["HOME"] || env["USERPROFILE"];
  if (named !== undefined && named !== "") return isAbsolute(named) ? named : undefined;
  try {
    const own = homedir();
    return isAbsolute(own) ? own : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The place of a run, as target and flags of `openWorld`. A URL typed by the operator then counts as typed now; only a
 * plan file's URL gets no credentials.
 */
export function placeOf<F extends WorldFlags>(
  { state }: Pick<StoredRun, "state">,
  flags: F,
): { readonly target: Target; readonly flags: F } {
  const { subject, plan } = state.started;
  const { context, connectUrl, connector } = subject;
  if (context !== undefined) return { target: { context, connectUrl: undefined, connector }, flags };
  const typed = subject.by === "admin" || (plan !== null && plan.intent.target.connectUrl === undefined);
  return {
    target: { context: undefined, connectUrl, connector },
    flags:
      typed && flags["connect-url"] === undefined && flags.context === undefined
        ? { ...flags, "connect-url": connectUrl }
        : flags,
  };
}

/** The place for commands that show several runs: one with a context is looked up there, whatever is typed. */
export function ownPlaceOf({ state }: Pick<StoredRun, "state">, flags: WorldFlags): Place {
  const { context } = state.started.subject;
  return placeOf({ state }, context === undefined ? flags : { ...flags, context: undefined, "connect-url": undefined });
}

/** A target, and the flags by which it is reached. */
export interface Place {
  readonly target: Target;
  readonly flags: WorldFlags;
}

/** The systems that one command has opened: each place once. All are closed at the end of the block. */
export interface Opened extends AsyncDisposable {
  readonly brokers: SharedBrokers;
  world(place: Place): Promise<OpenWorld>;
}

export function openings(host: Host): Opened {
  const worlds = new Map<string, Promise<OpenWorld>>();
  return {
    brokers: [],
    world({ target, flags }) {
      const { connector, connectUrl } = target;
      const place = JSON.stringify([connector, flags.context ?? target.context, flags["connect-url"], connectUrl]);
      // The clients of the systems are loaded only where something is asked.
      const world =
        worlds.get(place) ?? import("./open-world.ts").then((module) => module.openWorld(target, flags, host));
      worlds.set(place, world);
      return world;
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...worlds.values()].map(async (world) => (await world).close()));
    },
  };
}

/** Whether the command line names workers. */
export function namesWorkers(flags: WorldFlags): boolean {
  return flags.context !== undefined || flags["connect-url"] !== undefined;
}
