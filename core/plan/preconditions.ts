import { canonicalJson } from "../values/json.ts";
import type { Decided, Plan } from "./plan.ts";

const NAMES: { readonly [member in keyof Decided]: string } = {
  kind: "the kind of change",
  connector: "the connector",
  cluster: "the Kafka cluster",
  database: "the database or its incarnation",
  scn: "the target SCN",
  direction: "the direction",
  restore: "the offset to restore",
  metadata: "name, reason or ticket",
  allowSkip: "allowSkip",
  forgetReleased: "forgetReleased",
  resume: "resume",
  opsFormat: "opsFormat",
  accept: "the accepted codes",
  configuration: "the connector's configuration",
};

/** What two plans of one change decide differently, one phrase each: `the direction was backward and is forward`. */
export function differences(planned: Plan, now: Plan): readonly string[] {
  return (Object.keys(NAMES) as (keyof Decided)[]).flatMap((member) => {
    const was = shown(planned.decided[member]);
    const is = shown(now.decided[member]);
    return was === is
      ? []
      : [member === "configuration" ? `${NAMES[member]} was changed` : `${NAMES[member]} was ${was} and is ${is}`];
  });
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "none" : canonicalJson(value);
}
