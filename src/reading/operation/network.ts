/** Domain and risk of commands that use the network: downloads, requests, uploads. */

import { withoutMadeUp } from "../../lib/made-up.ts";
import { names } from "../../lib/name-table.ts";
import { holdsSecret } from "../../lib/secrets.ts";
import { optionValue } from "../shell/parse/options.ts";
import type { Invocation, Stream, Word } from "../shell/parse/reading.ts";
import type { Reach } from "./domain.ts";
import { type NetworkUse, networkUse } from "./network-commands.ts";
import { staysHere } from "./network-hosts.ts";
import { isSecretFile, kindAnywhere } from "./secret-file.ts";

/** A plain download is external and medium. Sending file contents, command output or a secret is critical. */
export function networkReach(invocation: Invocation): Reach | undefined {
  const { name, args } = invocation;
  const use = networkUse(name);
  if (use === "mail") return { domain: "external", risk: "critical", changes: true, because: "mail sent" };
  if (!carriesText(use)) return undefined;
  if (use === "web" && (staysHere(args, name) || !args.some(isElsewhere))) return undefined;
  const sent = filesSent(args);
  const unknown = sent.filter((file) => file.text !== "-" || !isKnown(invocation.stdin)).some(isDoubtful);
  const because = carriesSecret(args)
    ? "secret sent"
    : carriesWhatWasRead(invocation)
      ? "output sent"
      : unknown && "file sent";
  if (because) return { domain: "external", risk: "critical", changes: true, because };
  return { domain: "external", risk: sent.length > 0 || asksForChange(invocation) ? "high" : "medium", changes: true };
}

/** True if a shell or an interpreter would run text from the network that nothing has checked. */
export function runsNetworkText({ runsUnread, word, name }: Invocation): boolean {
  if (!runsUnread && name !== undefined) return false;
  const from = [...(runsUnread?.from ?? []), ...(name === undefined ? (word.from ?? []) : [])];
  return from.some((source) => carriesText(networkUse(source.name)));
}

function carriesText(use: NetworkUse | undefined): boolean {
  return use === "web" || use === "line" || use === "lookup";
}

const LOCAL = /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?:[:/]|$)/i;

/** The word names another machine, or a host that the line does not spell out. */
function isElsewhere({ text, literal }: Word): boolean {
  if (!literal) return true;
  if (text.startsWith("-")) return /:\/\//.test(text) && !LOCAL.test(text.replace(/^-[^=]*=/, ""));
  return /[./:]/.test(text) && !LOCAL.test(text);
}

/** True if output of another command is sent, through a substitution or a pipe. */
function carriesWhatWasRead({ name = "", args, stdin, redirects }: Invocation): boolean {
  if (args.some(({ from = [] }) => from.some((source) => !yieldsNothing(source)))) return true;
  const piped = isRead(stdin) || redirects.some(({ kind }) => kind === "read");
  if (/^(?:nc|ncat|netcat|socat|telnet)$/.test(name) && piped) return true;
  return false;
}

/** Its output is no content of a file, or a token whose destination `no-secret-leak` judges. */
function yieldsNothing({ name = "", args, stdin, redirects }: Invocation): boolean {
  const isFed = (stdin?.from.length ?? 0) > 0 || redirects.some(({ kind }) => kind === "read");
  if (isFed || args.some(({ from = [] }) => from.some((source) => !yieldsNothing(source)))) return false;
  const words = args.map(({ text }) => text).join(" ");
  if (TOKEN_TOOLS.has(name)) return /^auth\b|\bprint-(?:access|identity)-token\b|\bget-access-token\b/.test(words);
  if (name === "date" && /(?:^| )(?:-f|--file)/.test(words)) return false;
  if (name === "git") return /^(?:rev-parse|describe|branch|symbolic-ref)$/.test(args[0]?.text ?? "");
  return PLAIN_OUTPUT.has(name);
}

const PLAIN_OUTPUT = names(
  "date uuidgen hostname whoami id echo printf seq basename dirname pwd mktemp nproc uname true false",
);
const TOKEN_TOOLS = names("gh glab gcloud az");

/** The files that a request uploads. */
function filesSent(args: readonly Word[]): readonly Word[] {
  const upload = optionValue(args, ["-T", "--upload-file", "--post-file", "--body-file"]);
  const inData = args.flatMap((word): readonly Word[] => {
    const file = /^(?:-d|-F|--(?:data|form|json)[\w-]*=?)?(?:[\w-]+=)?[@<]+([^\s;]+)/.exec(word.text)?.[1];
    return file !== undefined && word.text.includes("@") ? [{ ...word, text: file }] : [];
  });
  return [...(upload ? [upload] : []), ...inData];
}

/** Key material, or a file that the line does not name. `no-secret-leak` checks the remaining files. */
function isDoubtful({ text, literal, glob }: Word): boolean {
  return !literal || glob || text === "-" || kindAnywhere(`/${text}`) !== undefined || isSecretFile(`/${text}`);
}

/** The text that is sent stands on the line. */
function isKnown(stream: Stream | undefined): boolean {
  return stream !== undefined && (stream.from.length > 0 || stream.text !== undefined) && !isRead(stream);
}

function isRead(stream: Stream | undefined): boolean {
  return (
    (stream?.from.length ?? 0) > 0 && stream?.from.every(({ name }) => name !== "echo" && name !== "printf") === true
  );
}

const SECRET_VARIABLE = /\$\{?\w*(?:API_?KEY|SECRET|TOKEN|PASSWORD|PRIVATE_?KEY|ACCESS_?KEY)\w*/i;

function carriesSecret(args: readonly Word[]): boolean {
  return args.some(({ text }, at) => {
    const isVariable = SECRET_VARIABLE.test(text);
    const signs = SIGNING.test(text) || /^(?:-u|--user)$/.test(args[at - 1]?.text ?? "");
    return (isVariable || isSecret(text)) && !(isVariable && signs);
  });
}

function isSecret(text: string): boolean {
  if (!holdsSecret(text)) return false;
  const real = withoutMadeUp(text);
  return holdsSecret(real);
}

/** Headers that carry credentials. */
const SIGNING = /^(?:-H|--header=)?\s*(?:authorization|private-token|(?:x-)?[\w-]*(?:api-?key|token))\s*:/i;

function asksForChange({ args }: Invocation): boolean {
  const method = optionValue(args, ["-X", "--request", "--method"])?.text ?? "";
  if (/^(?:POST|PUT|PATCH|DELETE)$/i.test(method)) return true;
  return args.some(({ text }) =>
    /^(?:-[a-zA-Z]*[dF]|--(?:data|form|json|post-data)[\w-]*(?:=.*)?|POST|PUT|PATCH|DELETE)$/.test(text),
  );
}
