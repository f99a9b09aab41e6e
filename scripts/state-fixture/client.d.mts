import type { Answer } from "./place.mjs";

export class Client {
  constructor(now: number, project?: string);
  readonly now: number;
  wait(seconds: number): void;
  send(event: string, fields?: object, options?: object): Answer;
  gate(tool: string, input: object, fields?: object): { readonly call: object; readonly answer: Answer };
  use(tool: string, input: object, options?: { readonly fields?: object }): Answer;
  bash(command: string, options?: { readonly fields?: object }): Answer;
  prompt(prompt: string, fields?: object): Answer;
  stop(fields?: object): Answer;
  person(args: readonly string[], options?: { readonly codes?: readonly number[] }): string;
}
