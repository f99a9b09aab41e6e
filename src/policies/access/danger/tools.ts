/** Tools recognized by their subcommands. */

import { type Text, text } from "../../../lib/text.ts";
import { takesNames } from "../../../reading/programs/text.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { CLOUDS } from "./clouds.ts";
import { CLUSTERS } from "./clusters.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";
import { KEEPS } from "./keeps.ts";
import { remoteDanger } from "./remote.ts";
import type { VerbTable } from "./rows.ts";
import { SERVICES } from "./services.ts";
import { type Verbs, verbDecision } from "./verbs.ts";

const ELSEWHERE = text("This would remove resources outside this machine's files", "ファイル以外の資源が削除されます");
const KEPT = text("This would remove what things are kept with", "保管されているものが削除されます");

const FAMILIES: readonly { readonly rows: VerbTable; readonly what: Text }[] = [
  { rows: CLOUDS, what: ELSEWHERE },
  { rows: CLUSTERS, what: ELSEWHERE },
  { rows: SERVICES, what: ELSEWHERE },
  { rows: KEEPS, what: KEPT },
];

export const toolDanger: Judge = (invocation, ground) => {
  const name = toolName(invocation.name ?? "");
  for (const { rows, what } of FAMILIES) {
    const row = rows.get(name);
    const decision = row && verbDecision(invocation, row);
    if (row && decision) return removal(invocation, decision, what, row.first);
    if (row && (rows === CLOUDS || rows === KEEPS) && !row.confirms && verbDecision(invocation, OF_A_FAMILY))
      return removal(invocation, "ask", what, row.first);
  }
  return remoteDanger(invocation, ground) ?? strangerDanger(invocation, name);
};

const LAST_WORDS =
  "delete|destroy|terminate|purge|wipe|nuke|obliterate|erase|unpublish|delete-*|destroy-*|*:delete|*:destroy";
const STRANGER: Verbs = { ask: [LAST_WORDS, `* ${LAST_WORDS}`, "* * delete|destroy|terminate"], first: "… --dry-run" };
/** Verbs that no row has to list. */
const OF_A_FAMILY: Verbs = {
  ask: ["* delete|destroy|terminate|purge|wipe|erase|flush|deregister", "* delete-*|terminate-*|purge-*"],
  first: "",
};
const STRANGER_WORDS = 8;
const finalPattern = (): RegExp => /delete|destroy|terminate|purge|wipe|nuke|obliterate|erase|unpublish/i;

/** An unknown tool that is told to delete: the extent is unknown too. A project's own script is exempt. */
function strangerDanger(invocation: Invocation, name: string): Danger | undefined {
  if (name === "" || takesNames(name)) return undefined;
  if (!invocation.args.slice(0, STRANGER_WORDS).some(({ text: word }) => finalPattern().test(word))) return undefined;
  const own = /^[^/].*\//.test(invocation.word.text) && !invocation.word.text.startsWith("~");
  const script = /\.(?:py|[cm]?[jt]s|rb|pl|php)$/.test(name);
  if (own || script || FAMILIES.some(({ rows }) => rows.get(name))) return undefined;
  return verbDecision(invocation, STRANGER) && removal(invocation, "ask", ELSEWHERE, STRANGER.first);
}

/** Strips suffixes: `prisma@5`, `kafka-topics.sh`. */
export function toolName(name: string): string {
  const bare = name.includes(".") || name.includes("@") ? name.replace(/@[^/]*$|\.(?:sh|cmd|bat)$/, "") : name;
  return sameAs(bare) ?? bare;
}

/** Aliases of the same command line. */
function sameAs(name: string): string | undefined {
  switch (name) {
    case "tofu":
    case "terragrunt":
    case "cdktf":
      return "terraform";
    case "podman":
    case "nerdctl":
    case "docker-compose":
    case "podman-compose":
      return "docker";
    case "sls":
      return "serverless";
    case "pnpm":
      return "npm";
    case "flyctl":
      return "fly";
    case "neon":
      return "neonctl";
    case "gpg2":
      return "gpg";
    case "VBoxManage":
      return "vboxmanage";
    case "mamba":
    case "micromamba":
      return "conda";
    case "zkCli":
      return "zkcli";
    default:
      return undefined;
  }
}

function removal(invocation: Invocation, decision: Danger["decision"], what: Text, first: string): Danger {
  return (decision === "deny" ? forbid : question)(
    text(`${what.en}: ${shown(invocation)}.`, `${what.ja}: ${shown(invocation)}。`),
    text(
      `See what it would hit, or keep a way back, first: \`${first}\`. Then let the person run the removal.`,
      `先に対象を確認するか、戻せる状態にしてください: \`${first}\`。削除は利用者に実行してもらってください。`,
    ),
  );
}
