/**
 * The parts inside kafkajs 2.2.4, its last release, that are used below its public interface: one connection to one
 * broker with its framing, TLS and login, and its own requests. Everything above, which decides when to repeat a
 * request, is not used.
 */

declare module "kafkajs/src/network/connectionPool.js" {
  import type { ISocketFactory, Logger } from "kafkajs";

  namespace ConnectionPool {
    interface Protocol<T> {
      readonly request: {
        readonly apiKey: number;
        readonly apiVersion: number;
        readonly apiName: string;
        /** An `Encoder`; only these two members are read. */
        encode(): Promise<{ readonly buf: Buffer; readonly buffer: Buffer }>;
      };
      readonly response: { decode(payload: Buffer): Promise<T>; parse(decoded: T): Promise<T> };
      readonly logResponseError?: boolean;
    }

    interface Connection {
      isConnected(): boolean;
      readonly requestQueue: { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void };
      readonly socket?: import("node:net").Socket;
      /** Pieces of an incomplete answer, and their size. */
      chunks: Buffer[];
      bytesBuffered: number;
      rejectRequests(error: Error): void;
      disconnect(): Promise<true>;
    }

    interface Options {
      readonly host: string;
      readonly port: number;
      readonly logger: Logger;
      readonly socketFactory: ISocketFactory;
      readonly clientId: string;
      readonly connectionTimeout: number;
      readonly requestTimeout: number;
      readonly enforceRequestTimeout: boolean;
      readonly ssl: import("node:tls").ConnectionOptions | null;
      readonly sasl: import("kafkajs").SASLOptions | null;
    }
  }

  class ConnectionPool {
    constructor(options: ConnectionPool.Options);
    readonly pool: readonly ConnectionPool.Connection[];
    send<T>(protocol: ConnectionPool.Protocol<T>): Promise<T>;
    getConnection(index: number): Promise<ConnectionPool.Connection>;
  }
  export = ConnectionPool;
}

declare module "kafkajs/src/broker/index.js" {
  import type { Logger } from "kafkajs";
  import type ConnectionPool from "kafkajs/src/network/connectionPool.js";

  namespace Broker {
    interface Produced {
      readonly topics: readonly {
        readonly partitions: readonly { readonly partition: number; readonly baseOffset: string }[];
      }[];
    }
    interface Offsets {
      readonly responses: readonly {
        readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
      }[];
    }
    interface Configs {
      readonly resources: readonly {
        readonly configEntries: readonly { readonly configName: string; readonly configValue: string | null }[];
      }[];
    }
  }

  class Broker {
    constructor(options: {
      readonly connectionPool: ConnectionPool;
      readonly logger: Logger;
      readonly allowAutoTopicCreation: boolean;
    });
    /** Versions by API key, once connected. */
    readonly versions: Readonly<
      Record<number, { readonly minVersion: number; readonly maxVersion: number } | undefined>
    > | null;
    connect(): Promise<void>;
    isConnected(): boolean;
    produce(request: {
      readonly acks: -1;
      readonly timeout: number;
      readonly topicData: readonly {
        readonly topic: string;
        readonly partitions: readonly {
          readonly partition: number;
          readonly messages: readonly { readonly key: Buffer | null; readonly value: Buffer | null }[];
        }[];
      }[];
    }): Promise<Broker.Produced>;
    listOffsets(request: {
      readonly isolationLevel: 0 | 1;
      readonly topics: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly timestamp: string }[];
      }[];
    }): Promise<Broker.Offsets>;
    describeConfigs(request: {
      readonly resources: readonly {
        readonly type: number;
        readonly name: string;
        readonly configNames: readonly string[];
      }[];
    }): Promise<Broker.Configs>;
  }
  export = Broker;
}
