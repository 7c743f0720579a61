/** Other drivers log in and query: a single client could share an error with the server. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cached } from "../../real/cached.ts";
import { type OracleServer, startOracleServer } from "./server.ts";
import { SERVERS, testServerOptions } from "./test-statements.ts";

const OJDBC = "com.oracle.database.jdbc:ojdbc11:23.9.0.25.07";
const CHILD_LIMIT_MILLIS = 180_000;

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program to its end; status null when it can't be started or takes too long. */
function run(program: string, parameters: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"], timeout: CHILD_LIMIT_MILLIS });
    const output: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => output.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => output.push(bytes));
    child.on("error", (error) => resolve({ status: null, output: error.message }));
    child.on("close", (status) => resolve({ status, output: Buffer.concat(output).toString() }));
  });
}

async function demand(program: string, parameters: readonly string[]): Promise<string> {
  const { status, output } = await run(program, parameters);
  if (status !== 0) throw new Error(`${program} ${parameters.join(" ")}: status ${status}\n${output}`);
  return output;
}

async function missing(
  ...programs: readonly (readonly [program: string, ...parameters: string[]])[]
): Promise<string | undefined> {
  for (const [program, ...parameters] of programs) {
    const { status, output } = await run(program, parameters);
    if (status !== 0) return `${program} is missing (${output.trim().split("\n")[0]})`;
  }
  return undefined;
}

function testFile(name: string): string {
  return fileURLToPath(new URL(`testdata/${name}`, import.meta.url));
}

/** Runs the work with one server for each version, as `NAME=PORT`. */
async function withServers(work: (servers: readonly string[]) => Promise<string>): Promise<string> {
  const servers: OracleServer[] = [];
  try {
    const named: string[] = [];
    for (const [name, options] of Object.entries(SERVERS)) {
      const server = await startOracleServer(testServerOptions(options));
      servers.push(server);
      named.push(`${name}=${server.port}`);
    }
    return await work(named);
  } finally {
    for (const server of servers) await server.close();
  }
}

/** Every check of every version has passed. */
function assertAllPassed(output: string, checks: number): void {
  const lines = output.split("\n");
  assert.equal(
    lines.filter((line) => line.startsWith("FAIL")),
    [],
  );
  for (const name of Object.keys(SERVERS))
    assert.is(lines.filter((line) => line.startsWith(`PASS ${name}: `)).length, checks, `${name}\n${output}`);
}

/** The driver's jar. */
async function ojdbc(): Promise<string> {
  const [, artifact, version] = OJDBC.split(":");
  const name = `${artifact}-${version}`;
  const folder = await cached(name, async (draft) => {
    await demand("mvn", ["-q", "-B", "dependency:copy", `-Dartifact=${OJDBC}`, `-DoutputDirectory=${draft}`]);
  });
  return join(folder, `${name}.jar`);
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-drivers-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const drivers = suite("other drivers against the Oracle server");

async function add(name: string, missingPart: string | undefined, work: () => Promise<void>): Promise<void> {
  if (missingPart === undefined) {
    drivers(name, work);
    return;
  }
  process.stdout.write(`  SKIPPED: ${name}: ${missingPart}\n`);
  drivers.skip(name, work);
}

await add(
  "python-oracledb passes every check at every version",
  await missing(["python3", "-m", "venv", "-h"], ["python3", "-m", "pip", "--version"]),
  () =>
    inTemporaryFolder(async (folder) => {
      await demand("python3", ["-m", "venv", folder]);
      const python = join(folder, "bin", "python");
      await demand(python, ["-m", "pip", "install", "-q", "--disable-pip-version-check", "oracledb"]);
      const output = await withServers((servers) => demand(python, [testFile("foreign_driver.py"), ...servers]));
      assertAllPassed(output, 11);
    }),
);

await add(
  "ojdbc passes every check at every version",
  await missing(["java", "-version"], ["javac", "-version"], ["mvn", "-v"]),
  () =>
    inTemporaryFolder(async (folder) => {
      const jar = await ojdbc();
      await demand("javac", ["-encoding", "UTF-8", "-cp", jar, "-d", folder, testFile("ForeignDriver.java")]);
      const output = await withServers((servers) =>
        demand("java", ["-Dstdout.encoding=UTF-8", "-cp", `${jar}:${folder}`, "ForeignDriver", ...servers]),
      );
      assertAllPassed(output, 11);
    }),
);

drivers.run();
