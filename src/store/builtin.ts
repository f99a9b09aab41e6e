/** Modules of node that are loaded when first needed and not before: a hook that needs none of them pays for none. */

/** There in the CJS bundle, absent when the sources run as modules, as under vitest. */
declare const require: ((name: string) => unknown) | undefined;

/**
 * An import would be hoisted, `import.meta.url` is empty in a CJS bundle, and importing `createRequire` alone costs
 * 1 ms. A name that is no literal is left as it is by esbuild, so the call stays where it is.
 */
export function builtin<T>(name: string): T {
  return (typeof require === "function" ? require(name) : process.getBuiltinModule(name)) as T;
}
