import type { WireReader, WireWriter } from "../../kafka/wire.ts";
import type { BrokerState, Operation } from "./broker-state.ts";
import type { SaslAnswer } from "./scram-server.ts";

/** One API of the protocol, in the versions before the compact forms, which every client of today still speaks. */
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
  /** Whether the records were written all the same. */
  readonly written: boolean;
}

/** What a connection has said about itself. */
export interface Session {
  user: string | undefined;
  loggedIn: boolean;
  /** The mechanism under way. */
  sasl: { readonly mechanism: string; readonly answer: (message: Buffer) => SaslAnswer } | undefined;
  /** Closes the connection once the answer under way is written. */
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
  /**
   * Whether a topic that a client asks metadata for is made when the client allows it, as Kafka does unless told not
   * to.
   */
  readonly autoCreate: boolean;
  /** Whether Metadata tells the operations a login may do. */
  readonly reportsOperations: boolean;
  /** The broker's own settings. */
  readonly configs: Readonly<Record<string, string>>;
  allows(user: string | undefined, operation: Operation, topic: string): boolean;
}

export const NODE_ID = 1;
