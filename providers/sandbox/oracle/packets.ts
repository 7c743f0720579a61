/**
 * TNS packets, the outer layer of Oracle Net: a length, a type, and a body. The length is 16 bits up to ACCEPT and 32
 * bits after it.
 */
import { randomBytes } from "node:crypto";
import { BadWire } from "./wire.ts";

export const PACKET = { connect: 1, accept: 2, refuse: 4, data: 6, marker: 12 } as const;
export const HEADER = 8;
/** A data packet's header with its flags. */
export const DATA_HEADER = 10;

/**
 * Data flags: the client closes the connection; the request is complete (go-ora does not set it); the answer is
 * complete.
 */
export const END_OF_FILE = 0x0040;
export const END_OF_MESSAGE = 0x0800;
export const END_OF_REQUEST = 0x2000;

export const MARKER = { break: 1, reset: 2, interrupt: 3 } as const;

const MAX_PACKET = 65_535 + 64;
const TNS_VERSION = 319;
/**
 * No Oracle network services (encryption, checksums) are offered; without these flags clients begin to negotiate them.
 */
const NO_NETWORK_SERVICES = [0x04, 0x08] as const;
const ACCEPT_LENGTH = 61;

/** The first bytes of a negotiation of network services. */
export const NETWORK_SERVICES = [0xde, 0xad, 0xbe, 0xef] as const;
const ENCRYPTION_SERVICE = 2;
/** ORA-12660: Encryption or crypto-checksumming parameters incompatible. */
const INCOMPATIBLE = 12_660;

/** The answer to a client that supports none of the algorithms: one service, and its error. */
export function noServiceAgreed(): Buffer {
  const out = Buffer.alloc(21);
  out.set(NETWORK_SERVICES, 0);
  out.writeUInt16BE(out.length, 4);
  out.writeUInt16BE(1, 10);
  out.writeUInt16BE(ENCRYPTION_SERVICE, 13);
  out.writeUInt32BE(INCOMPATIBLE, 17);
  return out;
}

/** Returns the length in a packet's header. @throws BadWire for one that no client sends */
export function packetLength(header: Buffer, large: boolean): number {
  const length = large ? header.readUInt32BE(0) : header.readUInt16BE(0);
  if (length < HEADER || length > MAX_PACKET) throw new BadWire(`packet of ${length} bytes`);
  return length;
}

export function packet(type: number, body: Uint8Array, large: boolean): Buffer {
  const out = Buffer.alloc(HEADER + body.length);
  if (large) out.writeUInt32BE(out.length, 0);
  else out.writeUInt16BE(out.length, 0);
  out[4] = type;
  out.set(body, HEADER);
  return out;
}

/** One message as data packets of at most `sdu` bytes; `ended` marks the last one as the end of the answer. */
export function dataPackets(message: Uint8Array, sdu: number, ended: boolean): Buffer {
  const room = sdu - DATA_HEADER;
  const count = Math.ceil(message.length / room);
  const out = Buffer.alloc(message.length + count * DATA_HEADER);
  let at = 0;
  for (let from = 0; from < message.length; from += room) {
    const part = message.subarray(from, from + room);
    out.writeUInt32BE(part.length + DATA_HEADER, at);
    out[at + 4] = PACKET.data;
    if (ended && from + room >= message.length) out.writeUInt16BE(END_OF_REQUEST, at + HEADER);
    out.set(part, at + DATA_HEADER);
    at += DATA_HEADER + part.length;
  }
  return out;
}

/** The target of a connection. */
export interface Target {
  readonly service: string | undefined;
  readonly sid: string | undefined;
  readonly program: string;
}

/**
 * Reads a CONNECT packet: its connect data, or how many bytes of it follow in data packets (when it is longer than
 * 230).
 */
export function readConnect(packet: Buffer): { readonly data: string } | { readonly follows: number } {
  if (packet.length < 34) throw new BadWire("short CONNECT");
  const length = packet.readUInt16BE(24);
  const offset = packet.readUInt16BE(26);
  if (length === 0 || packet.length > offset) return { data: packet.subarray(offset, offset + length).toString() };
  return { follows: length };
}

export function readTarget(connectData: string): Target {
  return {
    service: /SERVICE_NAME=([^)]*)\)/i.exec(connectData)?.[1],
    sid: /\(SID=([^)]*)\)/i.exec(connectData)?.[1],
    program: /PROGRAM=([^)]*)\)/i.exec(connectData)?.[1] ?? "",
  };
}

/** Body of REFUSE, the answer of a listener to an unknown service (12514) or SID (12505). */
export function refusal(code: number): Buffer {
  const text = Buffer.from(
    `(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR=${code})(ERROR_STACK=(ERROR=(CODE=${code})(EMFI=4))))`,
  );
  return Buffer.concat([Buffer.from([34, 0, text.length >> 8, text.length & 0xff]), text]);
}

/** Body of ACCEPT. The offsets in the comments count from the packet's start. */
export function acceptance(
  sdu: number,
  offers: { readonly fastAuth: boolean; readonly endOfRequest: boolean; readonly encryption: boolean },
): Buffer {
  const out = Buffer.alloc(ACCEPT_LENGTH);
  out.writeUInt16BE(TNS_VERSION, 8);
  out.writeUInt16BE(1, 10);
  out.writeUInt16BE(Math.min(sdu, 65_535), 12);
  out.writeUInt16BE(65_535, 14);
  out.writeUInt16BE(1, 16);
  // go-ora requires the offset of the connect data to be the packet's end, although there is none
  out.writeUInt16BE(ACCEPT_LENGTH, 20);
  if (!offers.encryption) out.set(NO_NETWORK_SERVICES, 22);
  out.writeUInt32BE(sdu, 32);
  out.writeUInt32BE(2_097_152, 36);
  out.writeUInt32BE((offers.fastAuth ? 0x10000000 : 0) + (offers.endOfRequest ? 0x02000000 : 0), 41);
  randomBytes(16).copy(out, 45); // a connection id, without which ojdbc runs out of bytes
  return out.subarray(HEADER);
}
