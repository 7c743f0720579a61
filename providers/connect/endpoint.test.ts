import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { readEndpoint } from "./endpoint.ts";

const endpoint = suite("the address of Connect's REST API");

const SERVICES: readonly (readonly [url: string, service: string])[] = [
  ["https://kafkaconnect.eu-west-1.amazonaws.com", "Amazon MSK Connect"],
  ["https://kafkaconnect-fips.us-east-1.amazonaws.com/v1/connectors", "Amazon MSK Connect"],
  ["https://kafkaconnect.cn-north-1.amazonaws.com.cn", "Amazon MSK Connect"],
  ["https://managedkafka.googleapis.com/v1", "Google Cloud Managed Service for Apache Kafka"],
  ["https://api.confluent.cloud/connect/v1/environments/env-1/clusters/lkc-1", "Confluent Cloud"],
];
for (const [url, service] of SERVICES)
  endpoint(`${url}: ${service} is rejected by name`, () => {
    assert.throws(
      () => readEndpoint(url),
      (error: unknown) =>
        error instanceof UsageError &&
        error.message === `${new URL(url).host} is ${service}, which does not offer Kafka Connect's REST API`,
    );
  });

for (const url of [
  "https://connect.example.com/kafka-connect",
  "https://kafkaconnect.example.com:8083",
  "http://ip-10-0-0-7.eu-west-1.compute.amazonaws.com:8083",
  "https://connect.notconfluent.cloud.example.com",
])
  endpoint(`${url} is a worker, or a gateway before one`, () => {
    assert.is(readEndpoint(url).hostname, new URL(url).hostname);
  });

endpoint.run();
