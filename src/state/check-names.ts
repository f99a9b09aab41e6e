/** The kinds of checks that a project can have. */
export const CHECKS = ["lint", "typecheck", "test", "build", "security"] as const;
export type CheckName = (typeof CHECKS)[number];
