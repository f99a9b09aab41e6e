/** Node modules that are loaded on first use, so that hooks without them do not pay for them. */

/** Defined in the CJS bundle, undefined when the sources run as modules, as under vitest. */
declare const require: ((name: string) => unknown) | undefined;

/**
 * An import would be hoisted, `import.meta.url` is empty in a CJS bundle, and importing `createRequire` costs 1 ms.
 * esbuild does not touch a call whose name is not a literal.
 */
export function builtin<T>(name: string): T {
  return (typeof require === "function" ? require(name) : process.getBuiltinModule(name)) as T;
}
