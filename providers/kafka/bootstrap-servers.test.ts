import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { bootstrapAddresses } from "./open-kafka.ts";

const servers = suite("bootstrap.servers");

servers("is a list of host:port", () => {
  assert.equal(bootstrapAddresses(" broker-1.prod:9092 ,10.0.0.7:19092,, SASL_SSL://b:1,[::1]:9093"), [
    { host: "broker-1.prod", port: 9092 },
    { host: "10.0.0.7", port: 19092 },
    { host: "b", port: 1 },
    { host: "::1", port: 9093 },
  ]);
});

servers("is refused if it is empty, or something else", () => {
  for (const text of [
    "",
    " , ",
    "broker",
    "broker:",
    "broker:0",
    "broker:65536",
    "::1:9092",
    "http://broker:80/path",
    "u@b:1",
  ])
    assert.throws(
      () => bootstrapAddresses(text),
      (error: unknown) => error instanceof UsageError,
      text,
    );
});

servers.run();
