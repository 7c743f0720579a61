/** The parts of a view of the database. */

import { zoneMinutes } from "./sql/moment.ts";
import type { NamedShape } from "./sql/scope.ts";
import type { SqlValue } from "./sql/values.ts";
import type { OracleWorld } from "./world.ts";

export type Rows = readonly (readonly SqlValue[])[];

/** A view; the session's container determines its rows. */
export interface View {
  readonly columns: readonly NamedShape[];
  rows(world: OracleWorld, container: string): Rows;
}

/** `NAME:size` a text, `NAME@` a DATE, `NAME~` a LONG, `NAME` a NUMBER. */
export function columns(list: string): readonly NamedShape[] {
  return list.split(/\s+/).map((one): NamedShape => {
    const [name = "", size] = one.split(":");
    if (size !== undefined) return { name, type: "VARCHAR2", size: Number(size) };
    if (name.endsWith("~")) return { name: name.slice(0, -1), type: "LONG" };
    return name.endsWith("@") ? { name: name.slice(0, -1), type: "DATE" } : { name, type: "NUMBER" };
  });
}

export const yes = (value: boolean) => (value ? "YES" : "NO");

/** A DATE has whole seconds and no zone: it shows the server's clock. */
export function date(world: OracleWorld, epoch: number): SqlValue {
  return { is: "DATE", wall: Math.floor(epoch / 1000) * 1000 + zoneMinutes(world.zone) * 60_000, zone: undefined };
}
