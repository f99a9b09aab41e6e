/** Files that agents write: of a key that stands twice the last counts, as for the tools that read them. */
export const LOOSE_YAML = { maxAliases: 100, json: true } as const;
