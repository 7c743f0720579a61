import { start } from "./start.ts";

await start("verify_cutover");
