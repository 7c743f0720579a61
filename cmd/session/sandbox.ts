import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "../../providers/sandbox/sandbox.ts";
import { SCENARIOS, scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";

/** Runs a loopback world until Ctrl-C; writes files that point at it, and says what to try. */
export async function runSandbox(
  flags: { readonly scenario: string; readonly dir: string | undefined },
  host: Host,
): Promise<number> {
  if (flags.scenario === "list") {
    host.stdout.write(SCENARIOS.map(({ name, about }) => `${name.padEnd(16)}${about}\n`).join(""));
    return EXIT.done;
  }
  const scenario = scenarioNamed(flags.scenario);
  const dir = flags.dir ?? (await mkdtemp(join(tmpdir(), "cdcctl-sandbox-")));
  await mkdir(dir, { recursive: true });
  const sandbox = await startSandbox(scenario.options);
  try {
    const files = scenario.files(sandbox);
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text, { mode: 0o600 });
    host.stdout.write(introduction(scenario.about, dir, sandbox.connect.url, scenario.tries));
    await new Promise<void>((resolve) => {
      if (host.interrupt.aborted) resolve();
      host.interrupt.addEventListener("abort", () => resolve());
    });
    return EXIT.done;
  } finally {
    await sandbox.close();
  }
}

function introduction(about: string, dir: string, url: string, tries: readonly string[]): string {
  return `${about}

Connect, Kafka and Oracle run on loopback, in this process; Connect's REST API is at ${url}
In another terminal:

  cd ${dir}
  export CDCCTL_CONTEXTS=$PWD/contexts.yaml CDCCTL_STATE=$PWD/state
${tries.map((line) => `  ${line}`).join("\n")}

Ctrl-C ends it.
`;
}
