/** The incidents of the night, played again on the built commands. What they may type is held in `night.test.ts`. */
import { suite } from "uvu";
import { playGoldens } from "./goldens.ts";
import { NIGHT } from "./night.ts";

const night = suite("incidents of the night, played");

playGoldens(night, (file) => file.startsWith(NIGHT));

night.run();
