/** Collects what is written, and tells when there is so much of it. */
export function listening(columns: number | undefined) {
  const written: string[] = [];
  let wake: () => void = () => undefined;
  const stderr = {
    write(text: string) {
      written.push(text);
      wake();
    },
    colour: false,
    columns,
  };
  const until = async (lines: number): Promise<void> => {
    while (written.length < lines) {
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`only ${written.length} lines within 5 s`)), 5_000);
        wake = () => {
          clearTimeout(late);
          resolve();
        };
      });
    }
  };
  return { written, stderr, until };
}
