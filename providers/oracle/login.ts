import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { showBytes } from "../../core/values/amounts.ts";
import type { Secret } from "../../core/values/secret.ts";
import { readBounded } from "../bounded-file.ts";
import type { DriverTarget } from "./driver.ts";

/** The user and method of a login; no file has been read yet. */
export type Login =
  | { readonly by: "password"; readonly user: string; readonly password: Secret }
  /** The client certificate of the TLS connection (a user IDENTIFIED EXTERNALLY). */
  | { readonly by: "certificate"; readonly proxied: string | undefined }
  | {
      readonly by: "token";
      /**
       * `OAUTH` (Entra ID and others): the token alone. `OCI_TOKEN` (OCI IAM): with a private key that proves
       * possession.
       */
      readonly kind: "OAUTH" | "OCI_TOKEN";
      /** A file or folder; undefined: the default of OCI's command line. */
      readonly location: string | undefined;
      readonly token: Secret | undefined;
      readonly proxied: string | undefined;
    };

type Credentials = Pick<DriverTarget, "user" | "password" | "externalAuth" | "accessToken">;

/**
 * Returns the login in the form that the driver accepts. Tokens are read for each connection, because they are renewed
 * by replacing the file.
 *
 * Rule: JDBC Developer's Guide, "Client-Side Security Features" (`oracle.jdbc.tokenAuthentication`,
 * `oracle.jdbc.tokenLocation`); node-oracledb, "Connecting Using External Authentication", "Token-Based
 * Authentication".
 *
 * @throws UsageError naming the file of a token or its key that can't be read, never its content
 */
export async function credentials(login: Login): Promise<Credentials> {
  switch (login.by) {
    case "password":
      return { user: login.user, password: login.password.open() };
    case "certificate":
      return { externalAuth: true, ...userOf(login) };
    case "token":
      return { externalAuth: true, accessToken: await accessToken(login), ...userOf(login) };
  }
}

/** The driver accepts a user only in brackets, as the one that a proxy acts for. */
function userOf({ proxied }: { readonly proxied: string | undefined }): Pick<DriverTarget, "user"> {
  return proxied === undefined ? {} : { user: `[${proxied}]` };
}

async function accessToken({
  kind,
  location,
  token,
}: Extract<Login, { readonly by: "token" }>): Promise<NonNullable<DriverTarget["accessToken"]>> {
  if (token !== undefined) return token.open().trim();
  const place = location ?? join(homedir(), ".oci", "db-token");
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const text = await readSecretFile(isFolder ? join(place, "token") : place, "database token");
  if (kind === "OAUTH") return text;
  if (!isFolder)
    throw new UsageError({
      message: `${place} is not a folder with a database token and its key`,
      remedy: "Set oracle.jdbc.tokenLocation to the folder of the files token and oci_db_key.pem.",
      file: place,
    });
  return { token: text, privateKey: await readSecretFile(join(place, "oci_db_key.pem"), "key of the database token") };
}

/** Tokens and keys have a few kilobytes. */
const MAX_TOKEN_BYTES = 1024 * 1024;

async function readSecretFile(file: string, what: string): Promise<string> {
  let text = "";
  try {
    const read = await readBounded(file, MAX_TOKEN_BYTES, "outside");
    if ("large" in read)
      throw new UsageError({
        message: `the ${what} ${file} has more than ${showBytes(MAX_TOKEN_BYTES)}`,
        remedy: "Correct oracle.jdbc.tokenLocation.",
        file,
      });
    text = read.bytes.toString("utf8").trim();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError({
      message: `the ${what} ${file} can't be read (${code})`,
      remedy: "Get a new token (for OCI: oci iam db-token get), or correct oracle.jdbc.tokenLocation.",
      file,
    });
  }
  if (text !== "") return text;
  throw new UsageError({ message: `the ${what} ${file} is empty`, remedy: "Get a new token.", file });
}
