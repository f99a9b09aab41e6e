/** Clouds, clusters and containers: resources whose data lives nowhere else. */

import type { Invocation } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";

/** `deny`: data goes with it and nothing asks again. `ask`: it can be made again, or the tool itself asks. */
interface Row {
  readonly deny?: RegExp;
  readonly ask?: RegExp;
}

const DRY = /(?:^| )--?(?:dry-?run(?:=(?!none)\S+)?|dryrun|help)(?: |$)/;

/** Matched against the arguments joined by blanks, so that options may stand anywhere. */
const ROWS: Readonly<Record<string, Row>> = {
  aws: {
    deny: /\bs3 rb\b|\bs3 rm\b.*--recursive|\bs3 sync\b.*--delete|\bs3api delete_(?:bucket|objects)|terminate_instances|delete_(?:db_|stack|table|cluster|volume|snapshot|file_system|log_group|secret|key|hosted_zone|user_pool|organization|backup|repository)|schedule_key_deletion/,
    ask: /(?:^| )(?:delete|terminate|remove|purge|deregister|disable|revoke|detach)_/,
  },
  gcloud: {
    deny: /\b(?:projects|instances|clusters|databases|buckets|disks|snapshots|sql|secrets|keys)\b.*\bdelete\b/,
    ask: /\b(?:delete|reset|remove_iam_policy_binding|destroy)\b/,
  },
  gsutil: { deny: /\brb\b|\brm\b.* -[a-zA-Z]*r|(?:^| )-m rm\b/, ask: /\brm\b/ },
  az: {
    deny: /\b(?:group|vm|aks|storage account|sql|cosmosdb|keyvault|disk|snapshot|webapp|functionapp)\b.*\b(?:delete|purge)\b/,
    ask: /\b(?:delete|purge)\b/,
  },
  doctl: { ask: /\b(?:delete|destroy)\b/ },
  kubectl: {
    deny: /\bdelete\b.*(?:\b(?:ns|namespaces?|pvc?|persistentvolume(?:claim)?s?|crds?|customresourcedefinitions?|nodes?|all|statefulsets?|sts)\b|--all\b)/,
    ask: /\bdelete\b(?! pods?\b)(?! jobs?\b)|\bdrain\b|\breplace\b.*--force/,
  },
  oc: { deny: /\bdelete\b.*\b(?:project|namespace|pvc?|all)\b/, ask: /\bdelete\b/ },
  helm: { ask: /\b(?:uninstall|delete|rollback)\b/ },
  terraform: {
    deny: /(?:^| )destroy\b.*(?:-auto-approve|-force)|\bapply\b.*-destroy.*-auto-approve|\bapply\b.*-auto-approve.*-destroy/,
    ask: /(?:^| )destroy\b|\bapply\b.*(?:-destroy|-auto-approve)|\bstate rm\b|\bforce_unlock\b|\bworkspace delete\b/,
  },
  pulumi: { deny: /\bdestroy\b.*(?:-y\b|--yes|--skip-preview)/, ask: /\bdestroy\b|\bstack rm\b/ },
  cdk: { deny: /\bdestroy\b.*(?:-f\b|--force)/, ask: /\bdestroy\b/ },
  serverless: { ask: /\bremove\b/ },
  vagrant: { ask: /\bdestroy\b/ },
  docker: {
    deny: /\bvolume (?:rm|remove|prune)\b|\bsystem prune\b.*--volumes/,
    ask: /\bsystem prune\b|(?:^| )(?:down|rm)\b.* (?:-v|--volumes)\b|\bimage prune\b.* (?:-a|--all)\b|\bswarm leave\b|\bcontainer prune\b/,
  },
  vault: { deny: /\b(?:secrets|auth) disable\b|\bkv (?:destroy|metadata delete)\b/, ask: /\b(?:delete|revoke)\b/ },
  gh: {
    deny: /\brepo delete\b/,
    ask: /\b(?:release|secret|gist|run|cache|variable|ssh_key) delete\b|\brepo archive\b|\bapi\b.*(?:-X|--method) ?DELETE/,
  },
  heroku: { deny: /\b(?:apps:destroy|pg:reset|addons:destroy)\b/ },
  fly: { deny: /\b(?:apps|volumes?|pg|postgres) (?:destroy|delete)\b/, ask: /\bdestroy\b/ },
  flyctl: { deny: /\b(?:apps|volumes?|pg|postgres) (?:destroy|delete)\b/, ask: /\bdestroy\b/ },
  wrangler: { ask: /\bdelete\b/ },
  vercel: { ask: /(?:^| )(?:rm|remove)\b/ },
  firebase: { deny: /\b(?:firestore:delete|database:remove)\b/, ask: /\bdelete\b/ },
  npm: { deny: /^unpublish\b/ },
  cargo: { ask: /^yank\b/ },
  etcdctl: { deny: /\bdel\b.*(?:--prefix|--from-key)/ },
  rclone: { deny: /^(?:purge|delete)\b/, ask: /^sync\b/ },
};

const WORDS_MAX = 3_000;

const SAME: Readonly<Record<string, string>> = {
  tofu: "terraform",
  podman: "docker",
  nerdctl: "docker",
  "docker-compose": "docker",
  sls: "serverless",
  pnpm: "npm",
};

export const cloudDanger: Judge = (invocation) => {
  const { name = "", args } = invocation;
  const key = Object.hasOwn(SAME, name) ? (SAME[name] ?? name) : name;
  const row = Object.hasOwn(ROWS, key) ? ROWS[key] : undefined;
  if (!row) return undefined;
  const words = args.map(({ text: word }) => plain(word)).join(" ");
  // Nobody writes this many words to such a tool; the patterns below are not made for them.
  if (words.length > WORDS_MAX) return gone(invocation, "ask");
  if (DRY.test(words)) return undefined;
  if (row.deny?.test(words)) return gone(invocation, "deny");
  return row.ask?.test(words) ? gone(invocation, "ask") : undefined;
};

/** Names, paths and values are no verbs: `destroy-plan.tf` is a file, `delete-me` a name. */
function plain(word: string): string {
  if (word.startsWith("-")) return word;
  return /^[\w:-]+$/.test(word) ? word.replace(/-/g, "_") : "_";
}

function gone(invocation: Invocation, decision: Danger["decision"]): Danger {
  const what = text(
    `This would remove resources outside this machine's files: ${shown(invocation)}.`,
    `ファイル以外の資源が削除されます: ${shown(invocation)}。`,
  );
  const fix = text(
    "List what it would hit first (`list`, `describe`, `plan`, `--dry-run`) and let the person run the removal.",
    "先に対象を一覧（`list`、`describe`、`plan`、`--dry-run`）し、削除は利用者に実行してもらってください。",
  );
  return decision === "deny" ? forbid(what, fix) : question(what, fix);
}
