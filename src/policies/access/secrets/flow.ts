/** Follows key material through a shell line: the commands that read it, and where it goes. */

import { basename } from "node:path/posix";
import { within } from "../../../lib/paths.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import type { Secret } from "./kinds.ts";
import { strictest } from "./leak.ts";
import { outwardOf } from "./outward.ts";
import { type SecretGround, secretIn } from "./reach.ts";
import { shows, tellsLittle } from "./use.ts";

export interface Flow {
  readonly ground: SecretGround;
  readonly effectsOf: ReadonlyMap<Invocation | undefined, readonly Effect[]>;
  /** Commands whose output contains a secret. */
  readonly tainted: Map<Invocation, Secret>;
  /** Files written by this line that contain a secret. */
  readonly files: Map<string, Secret>;
  /** Commands whose output goes to another command, a variable or a file. */
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
  // Computed on demand, because few lines handle a secret.
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
  // The redirections of a group are recorded under `:`, which consumes the group's output only if it writes to a file.
  const takesInput = name !== ":" || redirects.some(({ kind }) => kind !== "read");
  const words = [word, ...args, ...assignments.map(({ value }) => value), ...redirects.map(({ target }) => target)];
  return [...(takesInput ? (stdin?.from ?? []) : []), ...words.flatMap(({ from }) => from ?? [])];
}

/** The secret that the command reads from disk by its own words or redirections. */
export function readBy(invocation: Invocation, { effectsOf, ground, files }: Flow): Secret | undefined {
  const own = effectsOf
    .get(invocation)
    ?.filter(({ kind, by }) => (kind === "read" && by !== "find") || (kind === "delete" && by === "mv"));
  return own && strictest(own.map((effect) => secretIn(effect, ground) ?? derived(effect.path, files)));
}

/** A file that this line derived from a secret, a directory that contains one, or a name that extends its name. */
function derived(path: string, files: ReadonlyMap<string, Secret>): Secret | undefined {
  for (const [file, secret] of files) {
    if (within(path, file) || within(file, path) || path.startsWith(`${file}.`)) return secret;
  }
  return undefined;
}

/** The secret in the command's input or words. */
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

/** The secret in a stream, unless a command on the way reveals little of it. */
export function streamed(from: readonly Invocation[], { tainted }: Flow): Secret | undefined {
  if (from.length === 0 || tainted.size === 0) return undefined;
  const filters = from.filter(tellsLittle);
  const left = from.filter((each) => !filters.some(({ stdin }) => stdin?.from.includes(each)));
  return strictest(left.map((each) => tainted.get(each)));
}

/** Marks the command's output and the files it writes as containing the secret. */
export function keep(invocation: Invocation, secret: Secret, { tainted, files, effectsOf }: Flow): void {
  tainted.set(invocation, secret);
  const own = effectsOf.get(invocation) ?? [];
  for (const { kind, path, literal } of own) {
    if (kind !== "write" || !literal) continue;
    files.set(path, secret);
    for (const source of own) if (source.kind !== "write") files.set(`${path}/${basename(source.path)}`, secret);
  }
}
