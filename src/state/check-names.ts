/** The checks that can stand for "it works". */
export const CHECKS = ["lint", "typecheck", "test", "build", "security"] as const;

export type CheckName = (typeof CHECKS)[number];
