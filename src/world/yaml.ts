/** A reader of YAML, which is too large for the hook and loaded when it is needed. */
export type ReadYaml = (text: string) => { readonly layer: unknown } | { readonly problem: string };
