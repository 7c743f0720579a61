import { start } from "./start.ts";

await start("migrate_from_legacy");
