export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Running {
  readonly now: number;
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}
export const PROJECT: string;
export const PRUNED: string;
export const HOME: string;
export const OUTPUTS: string;
export function whyNotHere(): string | undefined;
export function claimPlace(): Promise<void>;
export function releasePlace(): void;
export function emptyPlace(): void;
export function unpackPlace(bundle: string): void;
export function runProgram(args: readonly string[], running: Running): Answer;
export function journalOf(project: string): string;
export function recordsOf(project: string): readonly Readonly<Record<string, unknown>>[];
