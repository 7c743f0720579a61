import type { ConnectorShown } from "../../core/plan/plan.ts";
import { clip } from "./layout.ts";
import { grouped } from "./quantities.ts";

const MOST_TASKS = 8;

/** `RUNNING, task 0 RUNNING on worker-2:8083`. Not escaped. */
export function standingOf({ state, tasks }: Pick<ConnectorShown, "state" | "tasks">): string {
  const shown = tasks.slice(0, MOST_TASKS).map(({ id, state: at, worker }) => `task ${id} ${at} on ${worker}`);
  const more = tasks.length - shown.length;
  return clip([state, ...shown, ...(more > 0 ? [`${grouped(BigInt(more))} more tasks`] : [])].join(", "), 600);
}
