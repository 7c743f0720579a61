import { SCRIPTS } from "../commands/catalogue.ts";
import { start } from "./start.ts";

await start(SCRIPTS.verify_cutover);
