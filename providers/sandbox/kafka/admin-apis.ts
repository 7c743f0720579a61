import { type Api, type ApiRequest, NODE_ID } from "./api.ts";
import type { Operation } from "./broker-state.ts";
import * as errors from "./protocol-errors.ts";

/** Bits of `topic_authorized_operations`: `1 << code` of an ACL operation. */
const OPERATION_CODES: Readonly<Partial<Record<Operation, number>>> = {
  read: 3,
  write: 4,
  create: 5,
  delete: 6,
  describe: 8,
  "describe-configs": 10,
};
const CREATE = 1 << 5;
const DESCRIBE = 1 << 8;
const NO_OPERATIONS = -2147483648;

export const apiVersions: Api = {
  key: 18,
  name: "ApiVersions",
  versions: [0, 2],
  handle({ version, broker }, answer) {
    // A newer client sends a newer version; it receives the list in the oldest version and asks again.
    const known = version <= 2;
    answer.int16(known ? errors.NONE : errors.UNSUPPORTED_VERSION);
    answer.array(broker.apis, (api) => answer.int16(api.key).int16(api.versions[0]).int16(api.versions[1]));
    if (known && version >= 1) answer.int32(0);
  },
};

export const metadata: Api = {
  key: 3,
  name: "Metadata",
  versions: [0, 8],
  topic: (_, body) => (body.int32() > 0 ? body.string() : undefined),
  handle(request, answer) {
    const { body, version, broker, session, fault } = request;
    const { state } = broker;
    const named = body.nullableArray(() => body.string());
    const mayCreate = version < 4 || body.boolean();
    const wantsClusterOperations = version >= 8 && body.boolean();
    const wantsOperations = version >= 8 && body.boolean();

    const all = named === null || (version === 0 && named.length === 0);
    const names = all
      ? [...state.topics.keys()].filter((name) => broker.allows(session.user, "describe", name))
      : named;
    const topics = names.map((name) => {
      if (fault === "deny" || !broker.allows(session.user, "describe", name))
        return { name, error: errors.TOPIC_AUTHORIZATION_FAILED, topic: undefined };
      if (!state.topics.has(name) && mayCreate && broker.autoCreate) state.create(name);
      const topic = state.topics.get(name);
      return { name, error: topic === undefined ? errors.UNKNOWN_TOPIC_OR_PARTITION : errors.NONE, topic };
    });

    if (version >= 3) answer.int32(0);
    answer.array([NODE_ID], (id) => {
      answer.int32(id).string(broker.host).int32(broker.port);
      if (version >= 1) answer.string(null);
    });
    if (version >= 2) answer.string(broker.clusterId);
    if (version >= 1) answer.int32(NODE_ID);
    answer.array(topics, ({ name, error, topic }) => {
      answer.int16(error).string(name);
      if (version >= 1) answer.boolean(false);
      const replicas = Array.from({ length: topic?.replicas ?? 1 }, (_, at) => NODE_ID + at);
      answer.array([...(topic?.partitions.keys() ?? [])], (index) => {
        answer.int16(errors.NONE).int32(index).int32(NODE_ID);
        if (version >= 7) answer.int32(0);
        answer
          .array(replicas, (id) => answer.int32(id))
          .array(replicas.slice(0, topic?.inSync), (id) => answer.int32(id));
        if (version >= 5) answer.array([], () => undefined);
      });
      if (version >= 8)
        answer.int32(wantsOperations && broker.reportsOperations ? operations(request, name) : NO_OPERATIONS);
    });
    if (version >= 8)
      answer.int32(
        !wantsClusterOperations || !broker.reportsOperations
          ? NO_OPERATIONS
          : (broker.allows(session.user, "describe-cluster", "") ? DESCRIBE : 0) +
              (broker.allows(session.user, "create", "") ? CREATE : 0),
      );
  },
};

function operations({ broker, session }: ApiRequest, topic: string): number {
  return (Object.keys(OPERATION_CODES) as Operation[])
    .filter((operation) => broker.allows(session.user, operation, topic))
    .reduce((bits, operation) => bits | (1 << (OPERATION_CODES[operation] ?? 0)), 0);
}

export const createTopics: Api = {
  key: 19,
  name: "CreateTopics",
  versions: [0, 4],
  topic: (_, body) => (body.int32() > 0 ? body.string() : undefined),
  handle({ body, version, broker, session, fault }, answer) {
    const wanted = body.array(() => {
      const name = body.string();
      const partitions = body.int32();
      body.int16();
      const assigned = body.array(() => {
        body.int32();
        return body.array(() => body.int32());
      });
      const configs = body.array(() => [body.string(), body.nullableString() ?? ""] as const);
      return { name, partitions: partitions > 0 ? partitions : Math.max(1, assigned.length), configs };
    });
    body.int32();
    const validateOnly = version >= 1 && body.boolean();
    if (version >= 2) answer.int32(0);
    answer.array(wanted, ({ name, partitions, configs }) => {
      const error =
        fault === "deny" || !broker.allows(session.user, "create", name)
          ? errors.TOPIC_AUTHORIZATION_FAILED
          : broker.state.topics.has(name)
            ? errors.TOPIC_ALREADY_EXISTS
            : errors.NONE;
      if (error === errors.NONE && !validateOnly)
        broker.state.create(name, { partitions, configs: Object.fromEntries(configs) });
      answer.string(name).int16(error);
      if (version >= 1) answer.string(null);
    });
  },
};

export const deleteTopics: Api = {
  key: 20,
  name: "DeleteTopics",
  versions: [0, 3],
  topic: (_, body) => (body.int32() > 0 ? body.string() : undefined),
  handle({ body, version, broker, session, fault }, answer) {
    const names = body.array(() => body.string());
    if (version >= 1) answer.int32(0);
    answer.array(names, (name) => {
      const error =
        fault === "moved"
          ? errors.NOT_CONTROLLER
          : fault === "deny" || !broker.allows(session.user, "delete", name)
            ? errors.TOPIC_AUTHORIZATION_FAILED
            : broker.state.topics.delete(name)
              ? errors.NONE
              : errors.UNKNOWN_TOPIC_OR_PARTITION;
      answer.string(name).int16(error);
    });
  },
};

const TOPIC_RESOURCE = 2;
const BROKER_RESOURCE = 4;
const TOPIC_CONFIG = 1;
const CONFIG_TYPE_STRING = 2;

export const describeConfigs: Api = {
  key: 32,
  name: "DescribeConfigs",
  versions: [0, 3],
  topic(_, body) {
    if (body.int32() <= 0) return undefined;
    body.int8();
    return body.string();
  },
  handle({ body, version, broker, session, fault }, answer) {
    const resources = body.array(() => ({
      type: body.int8(),
      name: body.string(),
      keys: body.nullableArray(() => body.string()),
    }));
    answer.int32(0).array(resources, ({ type, name, keys }) => {
      const topic = broker.state.topics.get(name);
      const isBroker = type === BROKER_RESOURCE && name === String(NODE_ID);
      const error = isBroker
        ? fault === "deny" || !broker.allows(session.user, "describe-configs", "")
          ? errors.CLUSTER_AUTHORIZATION_FAILED
          : errors.NONE
        : type !== TOPIC_RESOURCE
          ? errors.INVALID_REQUEST
          : fault === "deny" || !broker.allows(session.user, "describe-configs", name)
            ? errors.TOPIC_AUTHORIZATION_FAILED
            : topic === undefined
              ? errors.UNKNOWN_TOPIC_OR_PARTITION
              : errors.NONE;
      const entries = error === errors.NONE ? Object.entries((isBroker ? broker.configs : topic?.configs) ?? {}) : [];
      const asked = entries.filter(([key]) => keys === null || keys.length === 0 || keys.includes(key));
      answer
        .int16(error)
        .string(error === errors.NONE ? null : "refused")
        .int8(type)
        .string(name)
        .array(asked, ([key, value]) => {
          answer.string(key).string(value).boolean(false);
          if (version === 0) answer.boolean(false);
          else answer.int8(TOPIC_CONFIG);
          answer.boolean(false);
          if (version >= 1) answer.array([], () => undefined);
          if (version >= 3) answer.int8(CONFIG_TYPE_STRING).string(null);
        });
    });
  },
};
