/** A settings file of the host as it is on the disk, with our hooks in it. */
import { readFileSync } from "node:fs";
import { registrationIn } from "../../hosts/claude-code/registered.ts";
import type { HostFile } from "./check.ts";

type Read = HostFile | { readonly path: string; readonly reason: string } | { readonly path: string };

/** A file that is not there is no trouble; one that cannot be read is. */
export function readHostFile(path: string): Read {
  try {
    const text = readFileSync(path, "utf8");
    const ours = registrationIn(text);
    return { path, text, ...(ours && { ours }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? { path } : { path, reason: message };
  }
}
