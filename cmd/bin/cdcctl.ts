import { cdcctl } from "../commands/catalogue.ts";
import { start } from "./start.ts";

await start(cdcctl);
