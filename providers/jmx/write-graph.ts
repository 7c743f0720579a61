import { SC, STREAM_HEADER, TC } from "./java-graph.ts";
import { encodeModifiedUtf8 } from "./modified-utf8.ts";

/** Serializes a call: primitive data, then its arguments, in the format of Java's `MarshalOutputStream`. */
export type Argument =
  | { readonly kind: "null" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "object name"; readonly name: string };

/** @param data primitive data before the arguments, at most 255 bytes */
export function writeGraph(data: Buffer, args: readonly Argument[]): Buffer {
  return Buffer.concat([STREAM_HEADER, Buffer.from([TC.BLOCKDATA, data.length]), data, ...args.map(written)]);
}

/** `serialVersionUID`s, as the classes compute or declare them. */
const UID = { strings: -5921575005990323385n, objectName: 1081892073854801359n } as const;

function written(argument: Argument): Buffer {
  switch (argument.kind) {
    case "null":
      return Buffer.from([TC.NULL]);
    case "text":
      return textObject(argument.text);
    case "texts":
      return Buffer.concat([
        Buffer.from([TC.ARRAY]),
        descriptor("[Ljava.lang.String;", UID.strings, SC.SERIALIZABLE),
        int(argument.texts.length),
        ...argument.texts.map(textObject),
      ]);
    case "object name":
      return Buffer.concat([
        Buffer.from([TC.OBJECT]),
        descriptor("javax.management.ObjectName", UID.objectName, SC.SERIALIZABLE | SC.WRITE_METHOD),
        textObject(argument.name),
        Buffer.from([TC.ENDBLOCKDATA]),
      ]);
  }
}

/** A class without fields and parent. Its annotation is the code base: null. */
function descriptor(name: string, uid: bigint, flags: number): Buffer {
  const version = Buffer.alloc(8);
  version.writeBigInt64BE(uid);
  return Buffer.concat([
    Buffer.from([TC.CLASSDESC]),
    shortText(encodeModifiedUtf8(name)),
    version,
    Buffer.from([flags, 0, 0, TC.NULL, TC.ENDBLOCKDATA, TC.NULL]),
  ]);
}

function textObject(text: string): Buffer {
  const bytes = encodeModifiedUtf8(text);
  if (bytes.length <= 0xffff) return Buffer.concat([Buffer.from([TC.STRING]), shortText(bytes)]);
  const length = Buffer.alloc(8);
  length.writeBigInt64BE(BigInt(bytes.length));
  return Buffer.concat([Buffer.from([TC.LONGSTRING]), length, bytes]);
}

function shortText(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
