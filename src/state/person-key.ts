/** The public half of a person's key, as our hooks name it in the host's settings. */

export interface PersonKey {
  /** An Ed25519 public key in base64url; empty for a key that nobody holds. */
  readonly publicKey: string;
  /** When it was made. Unsigned records count only in a journal that is older. */
  readonly since: number;
}

/** Begins the argument of our hooks that names the key. */
export const KEY_WORD = "key=";

/** A key that verifies nothing: for a name that cannot be read, so that damaging it opens nothing. */
export const NOBODYS_KEY: PersonKey = { publicKey: "", since: 0 };

export function keyText({ publicKey, since }: PersonKey): string {
  return `${publicKey}.${since.toString(36)}`;
}

/** Undefined for no text. */
export function keyIn(text: string | undefined): PersonKey | undefined {
  if (text === undefined) return undefined;
  const [, publicKey, since] = /^([A-Za-z0-9_-]{43})\.([0-9a-z]{1,10})$/.exec(text) ?? [];
  return publicKey === undefined || since === undefined
    ? NOBODYS_KEY
    : { publicKey, since: Number.parseInt(since, 36) };
}

/** The key that the arguments of a hook name. */
export function keyAmong(words: readonly string[]): string | undefined {
  return words.find((word) => word.startsWith(KEY_WORD))?.slice(KEY_WORD.length);
}

const NAME_BYTES = 8;

/** Short, of letters and digits: for people and for file names. */
export function keyName({ publicKey }: PersonKey): string {
  return Buffer.from(publicKey, "base64url").toString("hex", 0, NAME_BYTES) || "nobodys";
}
