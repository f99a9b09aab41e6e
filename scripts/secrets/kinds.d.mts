export interface Maker {
  word(length: number): string;
  hex(length: number): string;
  upper(length: number): string;
  uuid(): string;
}
export interface Kind {
  readonly kind: string;
  readonly is: "token" | "line" | "text";
  readonly make: (maker: Maker) => string;
  readonly texts: readonly ((secret: string) => string)[];
}
export const KINDS: readonly Kind[];
export const LOOK_ALIKES: readonly string[];
export function maker(seed?: number): Maker;
