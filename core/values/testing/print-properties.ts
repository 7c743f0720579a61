/** Prints properties in the given order, so that `parseProperties` (and `java.util.Properties`) read them back. */
export function printProperties(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .map(
      ([key, value]) =>
        `${key.replace(/[^!-~]|[=:#!\\]/g, escaped)}=${value.replace(/[^ -~]|^ |[\\#!=:]/g, escaped)}\n`,
    )
    .join("");
}

function escaped(unit: string): string {
  if (/[ -~]/.test(unit)) return `\\${unit}`;
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`;
}
