/** Reads a settings file of the host from disk, with our hooks in it. */

import { hostFileText } from "../../world/machine/host-file.ts";
import { registration } from "../host.ts";
import type { HostFile } from "./check.ts";

type Read = HostFile | { readonly path: string; readonly reason: string } | { readonly path: string };

/** A missing file is fine; an unreadable one is a problem. */
export function readHostFile(path: string): Read {
  try {
    const text = hostFileText(path);
    if (text === undefined) return { path };
    const ours = registration.registrationIn(text);
    return { path, text, ...(ours && { ours }) };
  } catch (error) {
    return { path, reason: (error as Error).message };
  }
}
