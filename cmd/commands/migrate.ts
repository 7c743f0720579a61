import { group } from "../command.ts";
import { takeover } from "./migrate-takeover.ts";
import { translate } from "./migrate-translate.ts";
import { verify } from "./migrate-verify.ts";
import { verifyWorker } from "./migrate-verify-worker.ts";

export const migrate = group(
  "migrate <command>",
  "Individual tools for migrating from the legacy connector; they change nothing",
  [translate, takeover, verify, verifyWorker],
);
