/** Everything that does harm to a terminal, to Markdown or to HTML, in one text. */
export const HOSTILE =
  "a\u001b[2J\u009b31m|b`c``d\u202eEXE.\u2066\u200b\r\n<img src=x onerror=alert(1)> [x](javascript:1) @everyone " +
  "#1 https://evil.test \\| *y* \u{e0041}";
