/** Watches the order in which a program writes, flushes and answers, through `write-order.cjs`. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface Step {
  /** The action and its file: `write verdict 1`, `flush 1`, `flush directory`, `answer`. */
  readonly what: string;
  readonly at: number;
}

export interface WriteOrder {
  /** To be loaded with `--require`. */
  readonly preload: string;
  /** The environment of the watched program. */
  readonly env: Readonly<Record<string, string>>;
  /** The steps so far that are about the journal in this directory, and the answers. */
  steps(directory: string): readonly Step[];
  clear(): void;
}

const PRELOAD = join(import.meta.dirname, "write-order.cjs");

export function watchOrder(log: string): WriteOrder {
  const clear = (): void => writeFileSync(log, "");
  clear();
  return {
    preload: PRELOAD,
    env: { WRITE_ORDER_LOG: log },
    steps: (directory) =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter(Boolean)
        .flatMap((line) => stepIn(line, directory)),
    clear,
  };
}

function stepIn(line: string, directory: string): readonly Step[] {
  const { op, path, kind, at } = JSON.parse(line) as { op: string; path: string; kind?: string; at: number };
  if (op === "answer") return [{ what: op, at }];
  const name = nameOf(path, directory);
  return name === undefined ? [] : [{ what: [op, kind, name].filter(Boolean).join(" "), at }];
}

/** A segment by its number, a snapshot by its series. */
function nameOf(path: string, directory: string): string | undefined {
  if (path === directory) return "directory";
  if (dirname(path) !== directory) return undefined;
  const [series = "", number = ""] = basename(path).split(".");
  if (series === "journal") return String(Number(number));
  return series === "snap" || series === "part" ? series : undefined;
}
