import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import type { Scenario } from "../../providers/sandbox/scenario.ts";
import { SCENARIOS, scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";

const LOOK_MILLIS = 200;

/** Runs a loopback world until Ctrl-C; writes files that point at it, and says what to try. */
export async function runSandbox(
  flags: { readonly scenario: string; readonly dir: string | undefined },
  host: Host,
): Promise<number> {
  if (flags.scenario === "list") {
    const width = Math.max(...SCENARIOS.map(({ name }) => name.length)) + 2;
    host.stdout.write(SCENARIOS.map(({ name, about }) => `${name.padEnd(width)}${about}\n`).join(""));
    return EXIT.done;
  }
  const scenario = scenarioNamed(flags.scenario);
  const dir = flags.dir ?? (await mkdtemp(join(tmpdir(), "cdcctl-sandbox-")));
  await mkdir(dir, { recursive: true });
  const sandbox = await startSandbox(scenario.options);
  try {
    const files = scenario.files(sandbox);
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text, { mode: 0o600 });
    const events = watchEvents(scenario, sandbox, dir, host);
    host.stdout.write(introduction(scenario, dir, sandbox));
    await new Promise<void>((resolve) => {
      if (host.interrupt.aborted) resolve();
      host.interrupt.addEventListener("abort", () => resolve());
    });
    clearInterval(events);
    return EXIT.done;
  } finally {
    await sandbox.close();
  }
}

/** An event happens, once, when its file is there. */
function watchEvents({ events = {} }: Scenario, sandbox: Sandbox, dir: string, host: Host): NodeJS.Timeout {
  const due = new Map(Object.entries(events));
  return setInterval(() => {
    for (const [name, happen] of due) {
      if (!existsSync(join(dir, name))) continue;
      due.delete(name);
      happen(sandbox);
      host.stdout.write(`${name}\n`);
    }
  }, LOOK_MILLIS);
}

function introduction({ about, tries }: Scenario, dir: string, { connect: { url }, jvm }: Sandbox): string {
  return `${about}

Connect, Kafka and Oracle run on loopback, in this process; Connect's REST API is at ${url}
In another terminal:

  cd ${dir}
  export CDCCTL_CONTEXTS=$PWD/contexts.yaml CDCCTL_STATE=$PWD/state CONNECT=${url}
${jvm === undefined ? "" : `  export JMX=${jvm.url}\n`}${tries.map((line) => `  ${line}`).join("\n")}

Ctrl-C ends it.
`;
}
