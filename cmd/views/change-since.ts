import type { ChangeNow } from "../../core/facts/offset/stored-change.ts";

/** What has become of the offset that a settled run has stored. `unknown`: the workers could not be asked. */
export type ChangeSeen =
  | {
      readonly is: ChangeNow;
      /**
       * The connector is STOPPED although the run has started it, and a stop of the run was never answered: it may have
       * been carried out late.
       */
      readonly stoppedSince: boolean;
    }
  | { readonly is: "unknown"; readonly why: string };

/**
 * What has become of a change that succeeded, where it is not as the run left it; undefined where there is nothing to
 * say. Not escaped.
 */
export function changeSince(connector: string, run: string, now: ChangeSeen | undefined): string | undefined {
  switch (now?.is) {
    case undefined:
      return undefined;
    case "undone":
      return (
        `${connector}: a task that had outlived its stop has committed once more; the change of run ${run} is ` +
        "undone"
      );
    case "changed":
      return `${connector}: the stored offset is no longer that of run ${run}; another run, user or process has changed it`;
    case "unknown":
      return `${connector}: whether the change of run ${run} still stands is not known: ${now.why}`;
    case "stands":
    case "ran on":
      return now.stoppedSince
        ? `${connector} is STOPPED, although run ${run} has started it: an unanswered stop may have been carried ` +
            "out late"
        : undefined;
  }
}

/**
 * Whether something has to be done about it: the connector is not as the run left it, and no other run has made it so.
 */
export function needsRepair(now: ChangeSeen | undefined): boolean {
  if (now === undefined || now.is === "unknown" || now.is === "changed") return false;
  return now.is === "undone" || now.stoppedSince;
}
