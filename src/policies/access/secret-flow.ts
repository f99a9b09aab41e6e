/** Follows key material through a shell line: what reads it, and where it goes on to. */

import { basename } from "node:path/posix";
import type { Effect } from "../../kernel/operation-effects.ts";
import { within } from "../../kernel/paths.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { outwardOf } from "./outward.ts";
import type { Secret } from "./secret-kinds.ts";
import { strictest } from "./secret-leak.ts";
import { type SecretGround, secretIn } from "./secret-reach.ts";
import { shows, tellsLittle } from "./secret-use.ts";

export interface Flow {
  readonly ground: SecretGround;
  readonly effectsOf: ReadonlyMap<Invocation | undefined, readonly Effect[]>;
  /** Commands whose output holds a secret. */
  readonly tainted: Map<Invocation, Secret>;
  /** Files of this line that hold one. */
  readonly files: Map<string, Secret>;
  /** Commands whose output goes on to another command, a variable or a file. */
  readonly consumed: () => ReadonlySet<Invocation>;
  /** Commands inside a group whose input is a secret file. */
  readonly fed: Map<Invocation, Secret>;
}

export function newFlow(invocations: readonly Invocation[], effects: readonly Effect[], ground: SecretGround): Flow {
  const effectsOf = new Map<Invocation | undefined, Effect[]>();
  for (const effect of effects) {
    const own = effectsOf.get(effect.invocation);
    if (own) own.push(effect);
    else effectsOf.set(effect.invocation, [effect]);
  }
  // Asked for only where something is held, and that is on few lines.
  let found: ReadonlySet<Invocation> | undefined;
  const consumed = (): ReadonlySet<Invocation> => {
    found ??= new Set(invocations.flatMap(consumedBy));
    return found;
  };
  const flow: Flow = { ground, effectsOf, tainted: new Map(), files: new Map(), consumed, fed: new Map() };
  for (const invocation of invocations) {
    const secret = invocation.name === ":" ? readBy(invocation, flow) : undefined;
    if (secret) for (const inner of invocation.stdin?.from ?? []) flow.fed.set(inner, secret);
  }
  return flow;
}

function consumedBy({ name, word, args, assignments, redirects, stdin }: Invocation): readonly Invocation[] {
  // The redirections of a group stand under `:`; it takes the group's output only if it writes it down.
  const takesInput = name !== ":" || redirects.some(({ kind }) => kind !== "read");
  const words = [word, ...args, ...assignments.map(({ value }) => value), ...redirects.map(({ target }) => target)];
  return [...(takesInput ? (stdin?.from ?? []) : []), ...words.flatMap(({ from }) => from ?? [])];
}

/** What its own words or redirections take from the disk. */
export function readBy(invocation: Invocation, { effectsOf, ground, files }: Flow): Secret | undefined {
  const own = effectsOf
    .get(invocation)
    ?.filter(({ kind, by }) => (kind === "read" && by !== "find") || (kind === "delete" && by === "mv"));
  return own && strictest(own.map((effect) => secretIn(effect, ground) ?? derived(effect.path, files)));
}

/** A file that this line made of a secret, a directory it lies in, or a name that was built on its name. */
function derived(path: string, files: ReadonlyMap<string, Secret>): Secret | undefined {
  for (const [file, secret] of files) {
    if (within(path, file) || within(file, path) || path.startsWith(`${file}.`)) return secret;
  }
  return undefined;
}

/** What flows into it, or stands in its words. */
export function receivedBy(invocation: Invocation, flow: Flow): Secret | undefined {
  if (flow.tainted.size === 0 && flow.fed.size === 0) return undefined;
  const { word, args, stdin } = invocation;
  const fed = flow.fed.get(invocation);
  const takes = fed && (shows(invocation) || args.some(({ literal }) => !literal) || outwardOf(invocation));
  return strictest([
    takes ? fed : undefined,
    streamed(stdin?.from ?? [], flow),
    ...[word, ...args].map(({ from }) => streamed(from ?? [], flow)),
  ]);
}

/** What a stream holds: a command in it may have told little of what flowed through it. */
export function streamed(from: readonly Invocation[], { tainted }: Flow): Secret | undefined {
  if (from.length === 0 || tainted.size === 0) return undefined;
  const filters = from.filter(tellsLittle);
  const left = from.filter((each) => !filters.some(({ stdin }) => stdin?.from.includes(each)));
  return strictest(left.map((each) => tainted.get(each)));
}

/** It goes on in what the command prints, and in the files it writes. */
export function keep(invocation: Invocation, secret: Secret, { tainted, files, effectsOf }: Flow): void {
  tainted.set(invocation, secret);
  const own = effectsOf.get(invocation) ?? [];
  for (const { kind, path, literal } of own) {
    if (kind !== "write" || !literal) continue;
    files.set(path, secret);
    for (const source of own) if (source.kind !== "write") files.set(`${path}/${basename(source.path)}`, secret);
  }
}
