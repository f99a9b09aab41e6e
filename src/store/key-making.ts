/** Makes a person's key, locks it with a passphrase, and opens it to sign. Only commands load this. */
import type * as Crypto from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { builtin } from "./builtin.ts";
import { discard } from "./journal/discard.ts";
import { type KeyFile, keyFileIn, type Locked } from "./key-file.ts";
import { type Sign, signedBytes } from "./signature.ts";

/** As a power of two: about half a second and 128 MB for every guess. */
const COST = 17;
/** A file that asks for more was changed by somebody. */
const COST_MAX = 18;
const BLOCK = 8;
const CIPHER = "aes-256-gcm";

export interface OpenKey {
  readonly file: KeyFile;
  readonly sign: Sign;
}

export function newKey(passphrase: string, since: number, cost: number = COST): OpenKey {
  const { publicKey, privateKey } = crypto().generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const secret = privateKey.export({ format: "der", type: "pkcs8" });
  return { file: { publicKey: x, since, locked: lock(secret, passphrase, x, cost) }, sign: signer(secret) };
}

/** Undefined for a wrong passphrase. */
export function openKey(file: KeyFile, passphrase: string): OpenKey | undefined {
  const secret = unlock(file.locked, passphrase, file.publicKey);
  return secret && { file, sign: signer(secret) };
}

export function keepKeyFile(stateRoot: string, file: KeyFile | "off"): void {
  const path = keyFileIn(stateRoot);
  const temporary = `${path}.${process.pid}.tmp`;
  mkdirSync(stateRoot, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temporary, `${JSON.stringify(file === "off" ? { off: true } : file)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } finally {
    discard(temporary);
  }
}

function signer(secret: Buffer): Sign {
  const key = crypto().createPrivateKey({ key: secret, format: "der", type: "pkcs8" });
  return (record, project) => crypto().sign(null, signedBytes(record, project), key).toString("base64url");
}

/** The public half is bound to the private one, so that nobody can exchange it in the file unnoticed. */
function lock(secret: Buffer, passphrase: string, publicKey: string, cost: number): Locked {
  const [salt, iv] = [crypto().randomBytes(16), crypto().randomBytes(12)];
  const cipher = crypto()
    .createCipheriv(CIPHER, derived(passphrase, salt, cost), iv)
    .setAAD(Buffer.from(publicKey));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  const text = (bytes: Buffer): string => bytes.toString("base64url");
  return { salt: text(salt), cost, iv: text(iv), tag: text(cipher.getAuthTag()), sealed: text(sealed) };
}

function unlock({ salt, cost, iv, tag, sealed }: Locked, passphrase: string, publicKey: string): Buffer | undefined {
  const bytes = (text: string): Buffer => Buffer.from(text, "base64url");
  if (!Number.isInteger(cost) || cost < 1 || cost > COST_MAX) return undefined;
  const key = derived(passphrase, bytes(salt), cost);
  try {
    const decipher = crypto()
      .createDecipheriv(CIPHER, key, bytes(iv), { authTagLength: 16 })
      .setAAD(Buffer.from(publicKey))
      .setAuthTag(bytes(tag));
    return Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]);
  } catch (error) {
    // A wrong passphrase, or a file that was changed: the tag does not fit.
    void error;
    return undefined;
  }
}

/** The same passphrase typed on another keyboard may be composed differently. */
function derived(passphrase: string, salt: Buffer, cost: number): Buffer {
  const N = 2 ** cost;
  return crypto().scryptSync(passphrase.normalize("NFKC"), salt, 32, {
    N,
    r: BLOCK,
    p: 1,
    maxmem: 256 * N * BLOCK + 2 ** 20,
  });
}

function crypto(): typeof Crypto {
  return builtin<typeof Crypto>("node:crypto");
}
