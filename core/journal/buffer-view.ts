/**
 * A view of the buffer that was looked at last, for several bytes at once: a view for each value takes longer than to
 * look at the value. Hundreds of them lie in one buffer.
 */
let last = new DataView(new ArrayBuffer(0));

/** Of the whole buffer, wherever in it the bytes lie. */
export function viewOf({ buffer }: Uint8Array): DataView {
  if (last.buffer !== buffer) last = new DataView(buffer as ArrayBuffer);
  return last;
}
