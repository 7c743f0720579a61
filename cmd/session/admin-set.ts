import type { OffsetChangeIntent } from "../../core/document/intent.ts";
import { Refusal, UsageError } from "../../core/errors.ts";
import { parseXid } from "../../core/values/xid.ts";
import type { offsetsSetOptions } from "../options/admin.ts";
import type { Flags } from "../options/common.ts";
import { changeAtOnce, reasonOf } from "./admin-change.ts";
import type { ChangeHost } from "./machine-output.ts";
import { typedTarget } from "./open-world.ts";
import { scnOf } from "./typed-values.ts";

type SetFlags = Flags<typeof offsetsSetOptions>;

/** Runs `admin offsets set`: makes an intent of the flags and applies it like every other change. @returns 0, 1 */
export async function setOffsets(flags: SetFlags, host: ChangeHost): Promise<number> {
  return changeAtOnce(intentOf(flags), flags, host, "admin offsets set");
}

function intentOf(flags: SetFlags): OffsetChangeIntent {
  const scn = scnOf(flags.scn);
  if (flags.reason === undefined)
    throw new Refusal("OFF113", "moving the offset requires a reason", [
      { text: "Give one", setting: "--reason TEXT" },
    ]);
  if (flags.reason.trim() === "")
    throw new UsageError("--reason is empty", "Give a reason; it is recorded in the ops topic.");
  return {
    kind: "OffsetChange",
    metadata: { name: "offsets-set", reason: reasonOf(flags.reason), ticket: undefined },
    target: typedTarget(flags.name, flags),
    origin: { by: "admin", file: undefined, lines: {} },
    position: { to: "scn", scn },
    allowSkip: flags["allow-skip"],
    forgetReleased: forgetOf(flags["forget-released"]),
    resume: flags.resume,
    opsFormat: flags["ops-format"],
    accept: [],
  };
}

/** Without a value, all of them. */
function forgetOf(flag: string | undefined): OffsetChangeIntent["forgetReleased"] {
  if (flag === undefined) return "none";
  if (flag === "" || flag === "all" || flag === "true") return "all";
  const ids = flag.split(",").map((id) => id.trim());
  const wrong = ids.find((id) => parseXid(id) === undefined);
  if (wrong !== undefined)
    throw new UsageError(
      `--forget-released: ${wrong} is not a valid transaction id`,
      "Write transaction ids as CON:USN.SLOT.SQN, comma-separated, or omit the value for all.",
    );
  return ids;
}
