import type { Secret } from "../../values/secret.ts";
import type { BrokerSettings, DatabaseSettings } from "./settings.ts";

type Settings = DatabaseSettings | BrokerSettings;

/** Whether two clients would be opened with the same hosts, login and options. */
export function sameSettings(one: Settings, other: Settings): boolean {
  return isSame({ ...one }, { ...other });
}

function isSame(one: unknown, other: unknown): boolean {
  if (isSecret(one) && isSecret(other)) return one.open() === other.open();
  if (!isRecord(one) || !isRecord(other) || isSecret(one) || isSecret(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isSecret(value: unknown): value is Secret {
  return isRecord(value) && typeof value["open"] === "function";
}
