export const VOLUMES: Readonly<Record<string, readonly string[]>>;
