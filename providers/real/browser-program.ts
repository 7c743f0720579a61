import { canBeHad, type DebianProgram, programOf } from "./debian-program.ts";

const CHROMIUM: DebianProgram = {
  names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  package: "chromium",
};

/** The browser that `CDCCTL_TEST_BROWSER` names. */
function named(): string | undefined {
  return process.env["CDCCTL_TEST_BROWSER"] || undefined;
}

/** Why no browser can be used here; undefined if one can. */
export function missingForBrowser(): string | undefined {
  if (named() !== undefined || canBeHad(CHROMIUM)) return undefined;
  return "no Chromium was found; install it (Debian: apt-get install chromium), or name one in CDCCTL_TEST_BROWSER";
}

/** Returns the path of the browser, which is installed if missing. */
export async function browserProgram(): Promise<string> {
  return named() ?? programOf(CHROMIUM);
}
