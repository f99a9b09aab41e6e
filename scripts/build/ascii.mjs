/**
 * The launcher reads the hook's bundles as Latin-1, which needs no decoding. esbuild escapes other letters in texts, but
 * not in regular expressions; `\uXXXX` means the same there, with and without the `u` flag.
 */
export function escapeNonAscii(code) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is exactly this range.
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
