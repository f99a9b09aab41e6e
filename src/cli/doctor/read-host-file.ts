/** A settings file of the host as it is on the disk, with our hooks in it. */
import { registrationIn } from "../../hosts/claude-code/registered.ts";
import { hostFileText } from "../../world/host-file.ts";
import type { HostFile } from "./check.ts";

type Read = HostFile | { readonly path: string; readonly reason: string } | { readonly path: string };

/** A file that is not there is no trouble; one that cannot be read is. */
export function readHostFile(path: string): Read {
  try {
    const text = hostFileText(path);
    if (text === undefined) return { path };
    const ours = registrationIn(text);
    return { path, text, ...(ours && { ours }) };
  } catch (error) {
    return { path, reason: (error as Error).message };
  }
}
