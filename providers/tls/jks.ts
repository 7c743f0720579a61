import { decrypt, parseJks } from "jks-js";
import { type StoreContent, WrongPassword } from "./store-content.ts";

/** @param password undefined to read without checking the store's integrity. @throws WrongPassword */
export function readJks(bytes: Buffer, password: string | undefined): StoreContent {
  const entries = parse(bytes, password);
  const keys = entries.flatMap((entry) =>
    "chain" in entry
      ? [
          {
            chain: entry.chain.map((certificate) => certificate.value),
            open(keyPassword: string) {
              try {
                return decrypt(entry.protectedPrivateKey, keyPassword);
              } catch (error) {
                throw isWrong(error, "Cannot recover key") ? new WrongPassword("key") : error;
              }
            },
          },
        ]
      : [],
  );
  const trusted = entries.flatMap((entry) =>
    "chain" in entry ? entry.chain.slice(0, 1).map((one) => one.value) : [entry.cert.value],
  );
  return { trusted, keys };
}

function parse(bytes: Buffer, password: string | undefined) {
  try {
    return parseJks(bytes, password ?? "");
  } catch (error) {
    throw isWrong(error, "Password verification failed") ? new WrongPassword("store") : error;
  }
}

function isWrong(error: unknown, message: string): boolean {
  return error instanceof Error && error.message === message;
}
