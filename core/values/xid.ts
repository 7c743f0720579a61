/** A transaction id: undo segment, slot, sequence; with its container if known. */
export interface Xid {
  readonly container: bigint | undefined;
  readonly usn: bigint;
  readonly slot: bigint;
  readonly sqn: bigint;
}

const FORM = /^(?:(\d{1,10}):)?(\d{1,10})\.(\d{1,10})\.(\d{1,10})$/;

/** Reads `CON:USN.SLOT.SQN`, or `USN.SLOT.SQN` as older connectors wrote it. Undefined for anything else. */
export function parseXid(text: string): Xid | undefined {
  const match = FORM.exec(text.trim());
  if (match === null) return undefined;
  const [, container, usn = "", slot = "", sqn = ""] = match;
  return {
    container: container === undefined ? undefined : BigInt(container),
    usn: BigInt(usn),
    slot: BigInt(slot),
    sqn: BigInt(sqn),
  };
}

/** Prints what `parseXid` reads. */
export function printXid({ container, usn, slot, sqn }: Xid): string {
  return `${container === undefined ? "" : `${container}:`}${usn}.${slot}.${sqn}`;
}

/** The id as the task's MBean and its log write it. Each container has its own ids, so one may stand for several. */
export function printXidAlone(xid: Xid): string {
  return printXid({ ...xid, container: undefined });
}

/** Whether two ids identify one transaction; an id without its container matches every container. */
export function sameXid(a: Xid, b: Xid): boolean {
  const containers = a.container === undefined || b.container === undefined || a.container === b.container;
  return containers && a.usn === b.usn && a.slot === b.slot && a.sqn === b.sqn;
}
