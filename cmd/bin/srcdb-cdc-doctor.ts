import { start } from "./start.ts";

await start("srcdb-cdc-doctor");
