/** What a JKS or PKCS#12 store holds. */
export interface StoreContent {
  /** DER. Trusted certificates, and the first of each key's own chain, which Java trusts as well. */
  readonly trusted: readonly Uint8Array[];
  readonly keys: readonly StoredKey[];
}

interface StoredKey {
  /** DER, the key's own certificate first. */
  readonly chain: readonly Uint8Array[];
  /** PKCS#8 as PEM. @throws when the password does not open it */
  open(password: string): string;
}

/** The password is wrong for the store or the key. */
export class WrongPassword extends Error {
  override readonly name = "WrongPassword";
}
