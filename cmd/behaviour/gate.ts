/** A promise that a test resolves on demand. */
export interface Gate<T = void> {
  readonly opened: Promise<T>;
  readonly open: (value: T) => void;
}

export function gate<T = void>(): Gate<T> {
  let open = (_value: T) => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
