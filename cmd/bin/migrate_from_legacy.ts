import { SCRIPTS } from "../commands/catalogue.ts";
import { start } from "./start.ts";

await start(SCRIPTS.migrate_from_legacy);
