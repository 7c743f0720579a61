import { isJsonConverter } from "../../../../core/facts/connector/plugins.ts";
import { printJson } from "../../../../core/values/json.ts";
import type { SandboxBroker } from "../../kafka/broker.ts";
import { internalTopic } from "./internal-topics.ts";

type Config = Readonly<Record<string, string>>;

/** An event of the ops topic. A detail without a value is left out (reference: wire formats, "Ops topic"). */
export interface OpsEvent {
  readonly type: "signal-ack" | "snapshot-chunk-done" | "snapshot-complete" | "table-added" | "table-removed";
  readonly resumeScn: bigint | undefined;
  readonly details: Readonly<Record<string, string | undefined>>;
}

/** Writes events as the connector's converter does; nothing where the topic does not exist. */
export function opsWriter(config: Config, broker: SandboxBroker): (event: OpsEvent) => void {
  const topic = internalTopic(config, "ops");
  return (event) => {
    if (broker.state.topics.has(topic)) broker.append(topic, opsRecord(event, config));
  };
}

function opsRecord({ type, resumeScn, details }: OpsEvent, config: Config) {
  const server = config["cdc.topic.prefix"] ?? "";
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  const event = {
    ...{ v: 1, type, ts_ms: Date.now(), server, resume_scn: resumeScn ?? null },
    details: Object.fromEntries(given),
  };
  const converter = config["value.converter"];
  const json = converter !== undefined && isJsonConverter(converter);
  const enveloped = json && config["value.converter.schemas.enable"] !== "false";
  const written = (schema: object, payload: object) =>
    Buffer.from(printJson(enveloped ? { schema, payload } : payload, 0), "utf8");
  const record = { key: written(KEY_SCHEMA, { server }), value: written(EVENT_SCHEMA, event) };
  // Converters with a schema registry write a zero byte and a number first, so the record is not JSON.
  return converter === undefined || json ? record : { key: registered(record.key), value: registered(record.value) };
}

const registered = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), bytes]);

const field = (name: string, type: string, optional = false) => ({ field: name, type, optional });
const KEY_SCHEMA = {
  type: "struct",
  fields: [field("server", "string")],
  optional: false,
  name: "io.oso.cdc.ops.Key",
  version: 1,
};
const EVENT_SCHEMA = {
  type: "struct",
  fields: [
    field("v", "int32"),
    field("type", "string"),
    field("ts_ms", "int64"),
    field("server", "string"),
    field("resume_scn", "int64", true),
    {
      ...field("details", "map", true),
      keys: { type: "string", optional: false },
      values: { type: "string", optional: false },
    },
  ],
  optional: false,
  name: "io.oso.cdc.ops.Event",
  version: 1,
};
