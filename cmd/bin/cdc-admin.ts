import { start } from "./start.ts";

await start("cdc-admin");
