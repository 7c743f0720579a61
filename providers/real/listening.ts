import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const LISTENS = "0A";
/** 127.0.0.1 as /proc/net/tcp and, mapped, /proc/net/tcp6 print it. */
const LOOPBACKS = ["0100007F", "0000000000000000FFFF00000100007F"];

/** The TCP ports a process listens on, from /proc (Linux). */
export function loopbackListeners(pid: number): {
  readonly loopback: readonly number[];
  readonly elsewhere: readonly string[];
} {
  const sockets = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1];
    if (inode !== undefined) sockets.add(inode);
  }
  const loopback: number[] = [];
  const elsewhere: string[] = [];
  for (const table of ["tcp", "tcp6"]) {
    for (const line of readFileSync(`/proc/${pid}/net/${table}`, "utf8").split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state !== LISTENS || !sockets.has(inode)) continue;
      const [address = "", port = ""] = local.split(":");
      if (LOOPBACKS.includes(address)) loopback.push(Number.parseInt(port, 16));
      else elsewhere.push(local);
    }
  }
  return { loopback, elsewhere };
}

/** A descriptor may be closed in the meantime. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
