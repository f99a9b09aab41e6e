/** Commands that send data off the machine, and their destinations. */

import { names } from "../../../lib/name-table.ts";
import { networkUse } from "../../../reading/operation/network-commands.ts";
import { hostsIn, isLocalHost } from "../../../reading/operation/network-hosts.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";

export interface Outward {
  /** Hosts as written on the line; empty if the line does not name them. */
  readonly hosts: readonly string[];
  /** A request that usually carries credentials, so that a token in it is expected. */
  readonly signs: boolean;
}

export function outwardOf(invocation: Invocation): Outward | undefined {
  const { name, redirects, args } = invocation;
  const socket = redirects.find(
    ({ target: { prefix } }) => prefix.startsWith("/dev/tcp/") || prefix.startsWith("/dev/udp/"),
  );
  if (socket) return elsewhere([socket.target.text.split("/")[3] ?? ""], false);
  if (name === undefined) return undefined;
  const use = networkUse(name);
  if (use === "web") return elsewhere(hostsIn(args, name), true);
  // The other network commands send their words as they are.
  if (use) {
    const words = args.filter(({ text }) => !text.startsWith("-"));
    return elsewhere(
      words.map(({ text }) => text),
      false,
    );
  }
  if (sendsByVerb(name, args)) return ANYBODY;
  // For any command: a URL built on the line counts as a request to its host.
  const addresses = args.filter(({ text, literal }) => !literal && text.includes("://"));
  return addresses.length > 0 && !KEEPS_WORDS.has(name) ? elsewhere(hostsIn(addresses), true) : undefined;
}

const KEEPS_WORDS = names("echo printf export declare local readonly test [ : grep egrep fgrep sed awk jq");

function sendsByVerb(name: string, args: readonly Word[]): boolean {
  if (name === "openssl") return args[0]?.text === "s_client";
  if (name === "scp" || name === "rsync" || name === "rclone")
    return args
      .filter(({ text }) => !text.startsWith("-"))
      .slice(1)
      .some(isRemote);
  return verbsOf(name)?.test(args.map(({ text }) => text).join(" ")) === true;
}

const ANYBODY: Outward = { hosts: [], signs: false };

function verbsOf(name: string): RegExp | undefined {
  switch (name) {
    case "aws":
      return /\bs3 (?:cp|mv|sync)\b.* s3:\/\/\S+(?: -.*)?$|\bput-object\b|\bsend-(?:email|message)\b|\bsns publish\b/;
    case "gsutil":
      return /\b(?:cp|mv|rsync)\b.* gs:\/\/\S+$/;
    case "gcloud":
      return /\bstorage (?:cp|mv|rsync)\b.* gs:\/\/\S+$/;
    case "az":
      return /\bupload(?:-batch)?\b/;
    case "gh":
      return /\bgist (?:create|edit)\b|\b(?:issue|pr|release|discussion) (?:create|comment|edit|review|upload)\b|\bapi\b|\bworkflow run\b/;
    case "glab":
      return /\bsnippet create\b|\b(?:issue|mr|release) (?:create|note|update|upload)\b|\bapi\b/;
    default:
      return undefined;
  }
}

/** `host:path`, `rsync://host/…`; a single letter is a Windows drive. */
function isRemote({ text }: Word): boolean {
  return /^(?:[\w.@-]{2,}|\[.*\]|\$\S*):(?!\\)/.test(text);
}

function elsewhere(hosts: readonly string[], signs: boolean): Outward | undefined {
  const away = hosts.filter((host) => !isLocalHost(host));
  const stays = away.length < hosts.length && away.every((host) => !host.includes("."));
  return stays ? undefined : { hosts: away, signs };
}

/** The owner of a token by its name or shape, and a pattern for the owner's hosts. */
const owners = (): readonly (readonly [RegExp, RegExp])[] => [
  [/^(?:GH|GITHUB)_|^(?:gh[pousr]|github_pat)_/, /github|ghe\./],
  [/^GITLAB_|^glpat-/, /gitlab/],
  [/^NPM_|^npm_/, /npm/],
  [/^STRIPE_|^[rs]k_live_/, /stripe/],
  [/^OPENAI_/, /openai|azure/],
  [/^ANTHROPIC_|^sk-ant-/, /anthropic/],
  [/^SLACK_|^xox/, /slack/],
  [/^AWS_|^A[KS]IA/, /amazonaws|aws/],
  [/^GOOGLE_|^AIza/, /google|gcr\.io|pkg\.dev|run\.app|cloudfunctions/],
  [/^AZURE_/, /azure|windows\.net|microsoft/],
  [/^(?:HF|HUGGINGFACE)_|^hf_/, /huggingface|hf\./],
  [/^PYPI_|^pypi-/, /pypi/],
];

/** True if the token is known to go to a host other than its owner's. */
export function goesAstray(token: string, { hosts }: Outward): boolean {
  const owner = owners().find(([mark]) => mark.test(token))?.[1];
  return owner !== undefined && hosts.length > 0 && !hosts.some((host) => owner.test(host));
}
