/** The weakest proof there is: words that the agent was told to end with, in its own last message. */

export function hasMarker(message: string, name: string): boolean {
  const wanted = spelled(name);
  if (wanted === "") return false;
  return [...message.slice(-MESSAGE_CHARS).matchAll(/<promise>([^<]{0,200})<\/promise>/gi)].some(
    ([, said = ""]) => spelled(said) === wanted,
  );
}

/** Case and the amount of white space are nobody's meaning. */
function spelled(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

const MESSAGE_CHARS = 20_000;
