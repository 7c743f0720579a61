import { group } from "../command.ts";
import { takeover } from "./migrate-takeover.ts";
import { translate } from "./migrate-translate.ts";

export const migrate = group("migrate <command>", "The migration's single tools, under the specification's options", [
  translate,
  takeover,
]);
