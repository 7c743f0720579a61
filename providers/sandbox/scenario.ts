import { CONNECTOR, type Sandbox, type SandboxOptions } from "./sandbox.ts";

/** A world for trying cdcctl: its description, the files that refer to it, and the commands to run. */
export interface Scenario {
  readonly name: string;
  /** One line. */
  readonly about: string;
  readonly options: SandboxOptions;
  files(sandbox: Sandbox): Readonly<Record<string, string>>;
  readonly tries: readonly string[];
  /** The same with a number of connectors (`--connectors`). */
  readonly ofConnectors?: (connectors: number) => Scenario;
  /** Events of the world, each triggered by creating a file of its name in the folder. */
  readonly events?: Readonly<Record<string, (sandbox: Sandbox) => void>>;
}

export function contexts({ connect }: Sandbox): string {
  return `# The loopback world of \`cdcctl sandbox\`.
apiVersion: cdcctl/v1
kind: Contexts
contexts:
  sandbox:
    connect:
      url: ${connect.url}
`;
}

/** A plan file of kind OffsetChange. */
export function planFile(name: string, reason: string, position: string, ...more: readonly string[]): string {
  return `apiVersion: cdcctl/v1
kind: OffsetChange
metadata:
  name: ${name}
  reason: ${reason}
  ticket: CHG-4711
target:
  context: sandbox
  connector: ${CONNECTOR}
spec:
  ${[position, ...more].join("\n  ")}
`;
}

/** A plan file of kind Resnapshot, after logs were purged. @param spec its lines */
export function afterPurge(...spec: readonly string[]): string {
  return resnapshotFile("orders-after-purge", "archived logs purged during the outage", ...spec);
}

/** A plan file of kind Resnapshot. @param spec its lines */
export function resnapshotFile(name: string, reason: string, ...spec: readonly string[]): string {
  return `apiVersion: cdcctl/v1
kind: Resnapshot
metadata:
  name: ${name}
  reason: ${reason}
  ticket: CHG-4712
target:
  context: sandbox
  connector: ${CONNECTOR}
spec:
  ${spec.join("\n  ")}
`;
}
