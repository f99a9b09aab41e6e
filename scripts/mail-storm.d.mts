export interface Storm {
  readonly node: string;
  readonly bundle: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly writers: number;
  readonly each: number;
  readonly kills: { readonly sender: number; readonly worker: number; readonly supervisor: number };
  readonly random?: () => number;
}
export interface Stormed {
  readonly seconds: number;
  readonly killed: Storm["kills"];
  readonly acknowledged: readonly (readonly string[])[];
  readonly answers: readonly number[];
  readonly firsts: readonly number[];
}
export function mailStorm(storm: Storm): Promise<Stormed>;
export function losses(
  acknowledged: Stormed["acknowledged"],
  records: readonly { readonly kind: string; readonly id?: string }[],
  letters: readonly { readonly id: string; readonly text: string | undefined }[],
): readonly string[];
