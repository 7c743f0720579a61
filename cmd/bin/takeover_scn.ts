import { start } from "./start.ts";

await start("takeover_scn");
