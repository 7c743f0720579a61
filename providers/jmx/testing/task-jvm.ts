import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Certificates, makeCertificates, STORE_PASSWORD } from "../../real/certificates.ts";
import { run } from "../../real/command.ts";
import { stackFolder } from "../../real/folder.ts";
import { startJava } from "../../real/java-process.ts";
import { freePorts, LOOPBACK } from "../../real/ports.ts";

/**
 * Access to the JVM: without a login; with a login; with a login over TLS, the registry without; both over TLS; the
 * same with a client certificate.
 */
export const WAYS = ["plain", "login", "tls", "tls-registry", "tls-client"] as const;
export type Way = (typeof WAYS)[number];

export const LOGINS = {
  reader: { user: "reader", password: "r3ad-s3cret" },
  nobody: { user: "nobody", password: "n0-access" },
} as const;

/** A JVM with the MBeans of tasks (`testdata/TaskMBeanServer.java`). */
export interface TaskJvm {
  port(way: Way): number;
  /** The service URL with the stub in it. */
  stubUrl(way: Way): string;
  stop(): Promise<void>;
}

/** Files shared by these JVMs: one folder with classes, logins and certificates. */
export interface TaskJvms {
  readonly certificates: Certificates;
  /** @param hostname the address that the JVM advertises (`java.rmi.server.hostname`) */
  start(hostname?: string): Promise<TaskJvm>;
  /** Stops all JVMs and removes the folder. */
  stop(): Promise<void>;
}

export { STORE_PASSWORD };

const REAL = join(import.meta.dirname, "../../real");
const MAIN = join(import.meta.dirname, "../testdata/TaskMBeanServer.java");

export async function taskJvms(): Promise<TaskJvms> {
  const folder = await stackFolder(false);
  const started: TaskJvm[] = [];
  const stop = async () => {
    await Promise.all(started.map((jvm) => jvm.stop()));
    await folder.remove();
  };
  try {
    const [certificates, classPath] = [await makeCertificates(folder.path), await compiled(folder.path)];
    await copyFile(certificates.server.pkcs12, join(folder.path, "server.p12"));
    await copyFile(certificates.authority.pkcs12, join(folder.path, "ca.p12"));
    const logins = Object.values(LOGINS).map((one) => `${one.user} ${one.password}\n`);
    // The JVM requires that only the owner can read it.
    await writeFile(join(folder.path, "password"), logins.join(""), { mode: 0o600 });
    await writeFile(join(folder.path, "access"), "reader readonly\n");
    return {
      certificates,
      stop,
      async start(hostname = LOOPBACK) {
        const jvm = await startTaskJvm(`tasks-${started.length}`, folder.path, classPath, hostname);
        started.push(jvm);
        return jvm;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function compiled(folder: string): Promise<string> {
  const classes = join(folder, "classes");
  await mkdir(classes);
  const launch = (await readdir(join(REAL, "launch"))).map((name) => join(REAL, "launch", name));
  await run("javac", ["-d", classes, join(REAL, "plugin/TaskMetrics.java"), MAIN, ...launch]);
  return classes;
}

async function startTaskJvm(name: string, folder: string, classPath: string, hostname: string): Promise<TaskJvm> {
  const [second = 0, ...ports] = await freePorts(WAYS.length + 1);
  const java = startJava({
    name,
    folder,
    classPath,
    flags: [`-Djava.rmi.server.hostname=${hostname}`, `-Dtask.folder=${folder}`, `-Dtask.second.port=${second}`],
    main: "cdcctl.standin.TaskMBeanServer",
    args: WAYS.map((way, at) => `${way}=${ports[at]}`),
  });
  try {
    await java.untilHealthy(() => /^ready$/m.test(java.log()), 30_000);
  } catch (error) {
    await java.stop();
    throw error;
  }
  return {
    port: (way) => ports[WAYS.indexOf(way)] ?? 0,
    stubUrl: (way) => new RegExp(`^url ${way} (\\S+)$`, "m").exec(java.log())?.[1] ?? "",
    stop: () => java.stop(),
  };
}
