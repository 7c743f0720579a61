/** The Apache Kafka version that a Connect worker's code corresponds to. */
export interface ConnectVersion {
  readonly major: number;
  readonly minor: number;
}

/**
 * Parses the version in `GET /`: `3.9.2`, `4.0.0-rc1`, and Confluent's `7.6.1-ccs`, `8.0.0-ce`: 7.N is Apache 3.N, 8.N
 * is 4.N (reference: Kafka Connect, "Seen on real workers").
 *
 * @returns undefined for a text that is not a version, and for a numbering that is not known to follow Apache's
 */
export function connectVersion(text: string): ConnectVersion | undefined {
  const match = /^(\d{1,4})\.(\d{1,4})(?:[.-][0-9A-Za-z.+-]*)?$/.exec(text.trim());
  if (match === null) return undefined;
  const major = Number(match[1]);
  const minor = Number(match[2]);
  if (major === 7 || major === 8) return { major: major - 4, minor };
  return major < 7 ? { major, minor } : undefined;
}

export function isAtLeast(version: ConnectVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
