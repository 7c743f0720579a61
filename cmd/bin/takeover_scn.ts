import { SCRIPTS } from "../commands/catalogue.ts";
import { start } from "./start.ts";

await start(SCRIPTS.takeover_scn);
