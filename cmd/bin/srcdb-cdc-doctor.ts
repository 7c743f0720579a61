import { doctor } from "../commands/catalogue.ts";
import { start } from "./start.ts";

await start(doctor);
