/** Names of pipelines, as files and people write them. */

/** `NEW_FEATURE`, `new-feature` and `new-feature.yaml` are one name. */
export function isNamed(name: string, given: string): boolean {
  return plain(name) === plain(given);
}

function plain(name: string): string {
  return name
    .replace(/\.ya?ml$/i, "")
    .replace(/[-\s]/g, "_")
    .toLowerCase();
}

/** `new-feature.yaml` */
export function fileNameOf(name: string): string {
  return `${name.replace(/[_\s]+/g, "-").toLowerCase()}.yaml`;
}
