export const ON_DEMAND: Readonly<Record<string, readonly string[]>>;
