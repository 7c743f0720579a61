/** Types of other implementations, for tests of the decompressors here. */
declare module "snappyjs" {
  const snappy: {
    compress(bytes: Uint8Array): Uint8Array;
    uncompress(bytes: Uint8Array): Uint8Array;
  };
  export = snappy;
}

declare module "lz4js" {
  const lz4: {
    compress(bytes: Uint8Array): Uint8Array;
    decompress(bytes: Uint8Array): Uint8Array;
  };
  export = lz4;
}
