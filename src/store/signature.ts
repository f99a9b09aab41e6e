/** A person's signature over an action record: Ed25519 over one spelling of the record and its project. */
import type * as Crypto from "node:crypto";
import type { PersonKey } from "../state/person-key.ts";
import type { Action } from "../state/signed-action.ts";
import { builtin } from "./builtin.ts";

/** Returns the signature in base64url. */
export type Sign = (record: Action, project: string) => string;

/** As long as a signature. A record is made to fit with it before it is signed. */
export const SIGNATURE_TO_COME = "-".repeat(86);

const HEADING = "sekisho action 1\n";

/** The bytes that are signed. Keys are sorted, because JSON keeps them in any order. */
export function signedBytes(record: Action, project: string): Buffer {
  const { sig: _, void: __, ...said } = record;
  return Buffer.from(HEADING + JSON.stringify({ project, record: said }, sorted));
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function isSignedBy({ publicKey }: PersonKey, record: Action, project: string): boolean {
  const { sig = "" } = record;
  if (publicKey === "" || sig.length !== SIGNATURE_TO_COME.length) return false;
  const { createPublicKey, verify } = builtin<typeof Crypto>("node:crypto");
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    return verify(null, signedBytes(record, project), key, Buffer.from(sig, "base64url"));
  } catch (error) {
    // A key that is none verifies nothing.
    void error;
    return false;
  }
}
