/** Models by the names that hosts share. Lowest first; above the last there is only the person. */
export const MODELS = ["haiku", "sonnet", "opus"] as const;

export type Model = (typeof MODELS)[number];
