import { generateKeyPairSync, sign } from "node:crypto";

/**
 * A key and a self-signed certificate that stand for nobody, as PEM. node-oracledb takes its authorities, its key and
 * its certificate from one PEM text and does not start TLS when a part is missing, so authorities alone are not enough.
 * A server sees this certificate only if it asks for one, and then refuses it as it would refuse none.
 */
export function blankIdentity(): string {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"));
  const commonName = Buffer.concat([Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("cdcctl"))]);
  const name = der(0x30, der(0x31, der(0x30, commonName)));
  const validity = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const body = der(
    0x30,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]);
  const certificate = der(0x30, body, ecdsaWithSha256, der(0x03, signature));
  const base64 = (certificate.toString("base64").match(/.{1,64}/g) ?? []).join("\n");
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return `${key}-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

/** One DER element (X.690); contents up to 65,535 bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
