import { UsageError } from "../../core/errors.ts";
import type { DatabaseSettings } from "../../core/facts/connector/settings.ts";
import { readProperties, splitProperties, type Wishes } from "./connection-properties.ts";
import { parseJdbcUrl } from "./jdbc-url.ts";

/**
 * Settings by which a connection reads files of this machine: wallets, key and trust stores, `tnsnames.ora`, tokens. It
 * is judged by what `describeConnection` makes of a setting, not by how it is written.
 *
 * @returns names of the settings; of one that can't be parsed none, because no connection can be made of it either
 */
export function localFilesOf(settings: DatabaseSettings): readonly string[] {
  const { url, connectionProperties, walletLocation, truststoreLocation } = settings;
  return [
    ...(walletLocation === undefined ? [] : ["cdc.database.wallet.location"]),
    ...(truststoreLocation === undefined ? [] : ["cdc.database.tls.truststore.location"]),
    ...(url !== undefined && unlessUnusable(() => urlReadsFiles(url)) ? ["cdc.database.url"] : []),
    ...(connectionProperties !== undefined &&
    unlessUnusable(() => readFiles(readProperties(splitProperties(connectionProperties), "").wishes))
      ? ["cdc.database.connection.properties"]
      : []),
  ];
}

function urlReadsFiles(url: string): boolean {
  const { place, parameters } = parseJdbcUrl(url);
  if (readFiles(readProperties(parameters, "").wishes)) return true;
  switch (place.form) {
    case "addresses":
      return false;
    // Only a tnsnames.ora explains it.
    case "alias":
      return true;
    // The driver reads a descriptor by itself, and takes wallets from it. It knows no other way to name one.
    case "descriptor":
      return /wallet|token|tns_admin|ifile/i.test(place.text.replace(/[\s"'\\]/g, ""));
  }
}

/** A token that is not in the settings is in a file, and without a location in the one of OCI's command line. */
function readFiles(wishes: Wishes): boolean {
  const { walletLocation, truststoreLocation, keystoreLocation, tnsAdmin, tokenLocation, tokenKind } = wishes;
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
