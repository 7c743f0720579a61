/** Java properties, as a broker's or worker's configuration file. */
export type Properties = Readonly<Record<string, string | number | boolean>>;

export function printProperties(properties: Properties): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${String(value).replaceAll("\\", "\\\\")}\n`)
    .join("");
}
