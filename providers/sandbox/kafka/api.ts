import type { WireReader, WireWriter } from "../../kafka/wire.ts";
import type { BrokerState, Operation } from "./broker-state.ts";
import type { SaslAnswer } from "./scram-server.ts";

/** One API of the protocol, in the versions before the compact forms, which all current clients still support. */
export interface Api {
  readonly key: number;
  readonly name: string;
  /** Lowest and highest version answered. */
  readonly versions: readonly [number, number];
  /** The first topic a request names, for the faults. */
  topic?(version: number, body: WireReader): string | undefined;
  /** Writes the answer's body. */
  handle(request: ApiRequest, answer: WireWriter): void | Promise<void>;
}

export interface ApiRequest {
  readonly version: number;
  readonly body: WireReader;
  readonly session: Session;
  readonly broker: BrokerContext;
  readonly fault: ExpressedFault | undefined;
}

/** A fault that the answer itself expresses. */
export type ExpressedFault = "deny" | "not-enough-replicas" | "moved" | ProduceFault;

export interface ProduceFault {
  /** Error code of the answer. */
  readonly produce: number;
  /** Whether the records were written nevertheless. */
  readonly written: boolean;
}

/** The state of one connection. */
export interface Session {
  user: string | undefined;
  loggedIn: boolean;
  /** The mechanism of a login in progress. */
  sasl: { readonly mechanism: string; readonly answer: (message: Buffer) => SaslAnswer } | undefined;
  /** Closes the connection after the current answer. */
  closing: boolean;
}

export interface BrokerContext {
  readonly state: BrokerState;
  readonly clusterId: string;
  readonly host: string;
  readonly port: number;
  readonly apis: readonly Api[];
  readonly mechanisms: readonly string[];
  readonly users: Readonly<Record<string, string>>;
  /** Whether a metadata request creates its topic if the client allows it, as Kafka does by default. */
  readonly autoCreate: boolean;
  /** Whether Metadata reports the authorized operations of a login. */
  readonly reportsOperations: boolean;
  /** The broker's own settings. */
  readonly configs: Readonly<Record<string, string>>;
  allows(user: string | undefined, operation: Operation, topic: string): boolean;
}

export const NODE_ID = 1;
