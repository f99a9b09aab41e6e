/** The weakest evidence there is: words that the agent was told to end with, between `<promise>` and `</promise>`. */

const MESSAGE_CHARS = 20_000;

/** Case and the white space inside do not matter. */
export function hasMarker(message: string, name: string): boolean {
  const spelled = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();
  return [...message.slice(-MESSAGE_CHARS).matchAll(/<promise>([^<]{0,200})<\/promise>/gi)].some(
    ([, said = ""]) => spelled(said) === spelled(name),
  );
}
