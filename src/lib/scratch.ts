/** Directories for temporary files, by their name. A link there leads elsewhere, so callers pass the real path. */

const SCRATCH = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/folders)(?:\/|$)/;

/** The cheap test decides for nearly every path. */
export function isScratch(path: string): boolean {
  const may = path.startsWith("/tmp") || path.startsWith("/var/") || path.startsWith("/dev/");
  return (may || path.startsWith("/private/")) && SCRATCH.test(path);
}

/** The directory itself, which everybody shares. */
export function isScratchRoot(path: string): boolean {
  return isScratch(path) && SCRATCH.exec(path)?.[0] === path;
}
