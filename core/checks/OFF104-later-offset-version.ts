import type { ConnectorKind } from "../document/intent.ts";
import { laterVersion } from "../facts/offset/stored-offset.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * A later format may give the fields another meaning; it is not guessed.
 *
 * Rule: reference: wire formats, "Stored offset" (`v`, CDC-3002).
 */
export const laterOffsetVersion: Check<ConnectorKind> = {
  code: "OFF104",
  title: "The stored offset has a later format version",
  problem: "Its fields may mean something else than this cdcctl believes (the connector itself says CDC-3002).",
  remedy: "Use a cdcctl that knows the version of this connector.",
  grade: "refusal",

  run(_intent, { stored }) {
    if (stored.state !== "later version") return pass;
    return fail({ seen: laterVersion(stored.version) });
  },
};
