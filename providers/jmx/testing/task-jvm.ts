import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Certificates, makeCertificates, STORE_PASSWORD } from "../../real/certificates.ts";
import { run } from "../../real/command.ts";
import { stackFolder } from "../../real/folder.ts";
import { startJava } from "../../real/java-process.ts";
import { freePorts, LOOPBACK } from "../../real/ports.ts";

/**
 * Ways into the JVM: without anything; with a login; with a login over TLS, the registry without; with both over TLS; the same, and a
 * client certificate.
 */
export const WAYS = ["plain", "login", "tls", "tls-registry", "tls-client"] as const;
export type Way = (typeof WAYS)[number];

export const LOGINS = {
  reader: { user: "reader", password: "r3ad-s3cret" },
  nobody: { user: "nobody", password: "n0-access" },
} as const;

/** A JVM with the MBeans of tasks (`testdata/TaskMBeanServer.java`). */
export interface TaskJvm {
  readonly certificates: Certificates;
  readonly folder: string;
  port(way: Way): number;
  /** The service URL with the stub in it. */
  stubUrl(way: Way): string;
  stop(): Promise<void>;
}

export { STORE_PASSWORD };

const REAL = join(import.meta.dirname, "../../real");
const MAIN = join(import.meta.dirname, "../testdata/TaskMBeanServer.java");

/** @param hostname what the JVM gives out for itself (`java.rmi.server.hostname`) */
export async function startTaskJvm(hostname: string = LOOPBACK): Promise<TaskJvm> {
  const folder = await stackFolder(false);
  const certificates = await makeCertificates(folder.path);
  const classes = join(folder.path, "classes");
  await mkdir(classes);
  const launch = (await readdir(join(REAL, "launch"))).map((name) => join(REAL, "launch", name));
  await run("javac", ["-d", classes, join(REAL, "plugin/TaskMetrics.java"), MAIN, ...launch]);
  await copyFile(certificates.server.pkcs12, join(folder.path, "server.p12"));
  await copyFile(certificates.authority.pkcs12, join(folder.path, "ca.p12"));
  const logins = Object.values(LOGINS);
  // The JVM insists that nobody else can read it.
  await writeFile(join(folder.path, "password"), logins.map((one) => `${one.user} ${one.password}\n`).join(""), {
    mode: 0o600,
  });
  await writeFile(join(folder.path, "access"), "reader readonly\n");
  const [second = 0, ...ports] = await freePorts(WAYS.length + 1);
  const process = startJava({
    name: "tasks",
    folder: folder.path,
    classPath: classes,
    flags: [`-Djava.rmi.server.hostname=${hostname}`, `-Dtask.folder=${folder.path}`, `-Dtask.second.port=${second}`],
    main: "cdcctl.standin.TaskMBeanServer",
    args: WAYS.map((way, at) => `${way}=${ports[at]}`),
  });
  const stop = async () => {
    await process.stop();
    await folder.remove();
  };
  try {
    await process.untilHealthy(() => /^ready$/m.test(process.log()), 30_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    certificates,
    folder: folder.path,
    port: (way) => ports[WAYS.indexOf(way)] ?? 0,
    stubUrl: (way) => new RegExp(`^url ${way} (\\S+)$`, "m").exec(process.log())?.[1] ?? "",
    stop,
  };
}
