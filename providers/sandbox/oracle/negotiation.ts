/**
 * The two messages in which client and server exchange their capabilities before the logon, and the resulting
 * agreement.
 */
import { BadWire, NeedMore, type Reader, Writer } from "./wire.ts";

/** The agreement of client and server. */
export interface Agreement {
  /** TTC field version, the lower of both sides': 7 is 12.1, 13 is 19c, 16 is 21c, 24 is 23ai. */
  readonly version: number;
  /** The client sent a time zone and requests the database's. */
  readonly timeZone: boolean;
  /** It also requests the version of the time zone file. */
  readonly timeZoneVersion: boolean;
  /** Scales of numbers and times go as `ub`, not as one byte (go-ora, ojdbc). */
  readonly wideScale: boolean;
  /** Every answer ends with a byte of its own, which is a protocol violation for clients that did not request it. */
  readonly endOfRequest: boolean;
}

export interface Capabilities {
  readonly version: number;
  readonly verifier: "11g" | "12c";
  readonly endOfRequest: boolean;
}

/** Version from which `endOfRequest` and its message exist (23ai). */
export const VERSION_23AI = 24;

const UTF8 = 873;
const UTF16 = 2000;
/** +00:00 as an interval. */
const DATABASE_ZONE = [0x80, 0, 0, 0, 60, 60, 0x80, 0, 0, 0, 0] as const;

/** Compile-time capabilities by index; those not named in the reference are the same for every server. */
const COMPILE_CAPABILITIES: readonly (readonly [index: number, value: number])[] = [
  [0, 6],
  [1, 1],
  [2, 1],
  [3, 1],
  [6, 1],
  [8, 1],
  [9, 1],
  [15, 0x29], // status at the end of every call
  [16, 0x91], // its sequence number
  [17, 3],
  [18, 7],
  [19, 3],
  [21, 1],
  [23, 0xcf], // LOBs
  [26, 4],
  [27, 1],
  [34, 12],
  [37, 0xb0], // chunks with ub lengths
  [39, 8],
  [42, 5],
];

export function beforeAgreement(capabilities: Capabilities): Agreement {
  return {
    version: capabilities.version,
    timeZone: false,
    timeZoneVersion: false,
    wideScale: false,
    endOfRequest: false,
  };
}

/** Skips a protocol message: versions up to a zero, then the client's name up to a zero. */
export function readProtocol(reader: Reader): void {
  for (let text = 0; text < 2; text++) while (reader.uint8() !== 0);
}

export function protocolReply(capabilities: Capabilities): Buffer {
  const charsets = Buffer.alloc(11);
  charsets.writeUInt16BE(UTF16, 9);
  const compile = Buffer.alloc(53);
  for (const [index, value] of COMPILE_CAPABILITIES) compile[index] = value;
  // Logon types; 0x20 only with the 12c verifier: with the other one it would make go-ora derive the key in the wrong
  // way.
  compile[4] = 0xca | (capabilities.verifier === "12c" ? 0x20 : 0);
  compile[7] = capabilities.version;
  const runtime = Buffer.alloc(7);
  runtime[0] = 2;
  runtime[1] = 1; // time zones
  runtime[6] = 4; // strings of 32 KiB
  return new Writer()
    .u8(1, 6, 0)
    .raw(Buffer.from("x86_64/Linux 2.4.xx\0"))
    .u16le(UTF8)
    .u8(1)
    .u16le(0)
    .u16be(charsets.length)
    .raw(charsets)
    .lenBytes(compile)
    .lenBytes(runtime)
    .done();
}

/**
 * Reads the data types message. Its list of types is not used. Alone it ends with its packet; inside fast
 * authentication another message follows, so there the list has to be walked.
 *
 * @param lastPacketFull more packets of this message may follow
 */
export function readDataTypes(
  reader: Reader,
  capabilities: Capabilities,
  where: "alone" | "fast auth",
  lastPacketFull: boolean,
): Agreement {
  reader.pass(5);
  const compile = reader.lenBytes() ?? Buffer.alloc(0);
  const runtime = reader.lenBytes();
  const timeZone = runtime?.[1] === 1;
  const timeZoneVersion = timeZone && ((compile[37] ?? 0) & 2) !== 0;
  if (where === "fast auth") {
    if (timeZone) reader.pass(timeZoneVersion ? 15 : 11);
    while (reader.uint16() !== 0) if (reader.uint16() !== 0) reader.pass(4);
  } else {
    if (lastPacketFull || reader.bytes.at(-1) !== 0) throw new NeedMore();
    reader.skipAll();
  }
  const version = Math.min(capabilities.version, compile[7] ?? capabilities.version);
  return {
    version,
    timeZone,
    timeZoneVersion,
    wideScale: compile[6] === 1,
    endOfRequest: capabilities.endOfRequest && version >= VERSION_23AI && ((compile[40] ?? 0) & 0x20) !== 0,
  };
}

export function dataTypesReply(agreement: Agreement): Buffer {
  const writer = new Writer().u8(2);
  if (agreement.timeZone) writer.raw(DATABASE_ZONE);
  if (agreement.timeZoneVersion) writer.u8(0, 0, 0, 32);
  return writer.u16be(0).done();
}

/**
 * Skips the first two messages of fast authentication.
 *
 * @returns the agreement, and the field version at which the logon message that follows is encoded
 */
export function readFastAuth(
  reader: Reader,
  capabilities: Capabilities,
): { readonly agreement: Agreement; readonly logonVersion: number } {
  reader.pass(3);
  if (reader.uint8() !== 1) throw new BadWire("fast authentication: a protocol message was expected");
  readProtocol(reader);
  reader.pass(5);
  const logonVersion = reader.uint8();
  if (reader.uint8() !== 2) throw new BadWire("fast authentication: a data types message was expected");
  return { agreement: readDataTypes(reader, capabilities, "fast auth", false), logonVersion };
}
