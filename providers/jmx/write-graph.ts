import { ByteWriter } from "../../core/values/byte-sink.ts";
import { encodeModifiedUtf8, SC, STREAM_HEADER, TC } from "./java-graph.ts";

/** Serializes a call: primitive data, then its arguments, in the format of Java's `MarshalOutputStream`. */
export type Argument =
  | { readonly kind: "null" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "object name"; readonly name: string };

/** @param data primitive data before the arguments, at most 255 bytes */
export function writeGraph(data: Uint8Array, args: readonly Argument[]): Buffer {
  const writer = new GraphWriter().bytes(STREAM_HEADER).int8(TC.BLOCKDATA).int8(data.length).bytes(data);
  for (const argument of args) writer.argument(argument);
  return Buffer.from(writer.written());
}

/** `serialVersionUID`s, as the classes compute or declare them. */
const UID = { strings: -5921575005990323385n, objectName: 1081892073854801359n } as const;

class GraphWriter extends ByteWriter {
  argument(argument: Argument): void {
    switch (argument.kind) {
      case "null":
        this.int8(TC.NULL);
        break;
      case "text":
        this.text(argument.text);
        break;
      case "texts":
        this.int8(TC.ARRAY).descriptor("[Ljava.lang.String;", UID.strings, SC.SERIALIZABLE);
        this.int32(argument.texts.length);
        for (const text of argument.texts) this.text(text);
        break;
      case "object name":
        this.int8(TC.OBJECT);
        this.descriptor("javax.management.ObjectName", UID.objectName, SC.SERIALIZABLE | SC.WRITE_METHOD);
        this.text(argument.name).int8(TC.ENDBLOCKDATA);
    }
  }

  /** A class without fields and parent. Its annotation is the code base: null. */
  private descriptor(name: string, uid: bigint, flags: number): this {
    this.int8(TC.CLASSDESC).shortText(encodeModifiedUtf8(name)).int64(uid);
    return this.bytes(Uint8Array.of(flags, 0, 0, TC.NULL, TC.ENDBLOCKDATA, TC.NULL));
  }

  private text(text: string): this {
    const bytes = encodeModifiedUtf8(text);
    if (bytes.length <= 0xffff) return this.int8(TC.STRING).shortText(bytes);
    return this.int8(TC.LONGSTRING).int64(BigInt(bytes.length)).bytes(bytes);
  }

  private shortText(bytes: Uint8Array): this {
    return this.int16(bytes.length).bytes(bytes);
  }
}
