export interface Ground {
  readonly project: string;
  readonly state: string;
  use(tool: string, input: object, response?: object): void;
  command(...args: readonly string[]): unknown;
}
export interface Planted {
  readonly kind: string;
  readonly way: string;
  readonly secret: string;
}
export function openGround(root: string, program: string): Ground;
export function plantAll(
  ground: Ground,
  options?: { readonly part?: number; readonly seed?: number },
): readonly Planted[];
export function readable(ground: Ground, planted: readonly Planted[]): readonly (Planted & { readonly file: string })[];
