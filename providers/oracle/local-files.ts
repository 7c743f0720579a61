import { UsageError } from "../../core/errors.ts";
import type { DatabaseSettings } from "../../core/facts/connector/settings.ts";
import { type RequestedOptions, readProperties, splitProperties } from "./connection-properties.ts";
import { parseJdbcUrl } from "./jdbc-url.ts";

/**
 * Settings by which a connection reads files of this machine: wallets, key and trust stores, `tnsnames.ora`, tokens. A
 * setting is judged by its effect in `describeConnection`, not by its form.
 *
 * @returns names of the settings; none for a setting that can't be parsed, because it allows no connection either
 */
export function localFilesOf(settings: DatabaseSettings): readonly string[] {
  const { url, connectionProperties, walletLocation, truststoreLocation } = settings;
  return [
    ...(walletLocation === undefined ? [] : ["cdc.database.wallet.location"]),
    ...(truststoreLocation === undefined ? [] : ["cdc.database.tls.truststore.location"]),
    ...(url !== undefined && unlessUnusable(() => urlReadsFiles(url)) ? ["cdc.database.url"] : []),
    ...(connectionProperties !== undefined &&
    unlessUnusable(() => readFiles(readProperties(splitProperties(connectionProperties), "").requested))
      ? ["cdc.database.connection.properties"]
      : []),
  ];
}

function urlReadsFiles(url: string): boolean {
  const { place, parameters } = parseJdbcUrl(url);
  if (readFiles(readProperties(parameters, "").requested)) return true;
  switch (place.form) {
    case "addresses":
      return false;
    // It is defined in a tnsnames.ora.
    case "alias":
      return true;
    // The driver itself reads a descriptor, and the wallets that it names; it knows no other way to name one.
    case "descriptor":
      return /wallet|token|tns_admin|ifile/i.test(place.text.replace(/[\s"'\\]/g, ""));
  }
}

/** A token that is not in the settings is read from a file; without a location, from that of OCI's command line. */
function readFiles(requested: RequestedOptions): boolean {
  const { walletLocation, truststoreLocation, keystoreLocation, tnsAdmin, tokenLocation, tokenKind } = requested;
  return (
    [walletLocation, truststoreLocation, keystoreLocation, tnsAdmin, tokenLocation].some(
      (path) => path !== undefined,
    ) || tokenKind !== undefined
  );
}

function unlessUnusable(reads: () => boolean): boolean {
  try {
    return reads();
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}
