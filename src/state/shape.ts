/** A question that was put to a person, as far as others may be like it. */
export interface Shape {
  /** The command with the files it changes left open. */
  readonly shape: string;
  /** Where it was asked: elsewhere it is another question. */
  readonly cwd: string;
  /** The policies that asked. */
  readonly policies: readonly string[];
}
