/** The kinds of checks that can prove work. */
export const CHECKS = ["lint", "typecheck", "test", "build", "security"] as const;

export type CheckName = (typeof CHECKS)[number];
