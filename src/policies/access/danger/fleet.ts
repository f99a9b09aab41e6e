/** Ansible: one line affects many machines. */

import { text } from "../../../lib/text.ts";
import { hasOption, optionValues } from "../../../reading/shell/parse/options.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { type Judge, question, shown } from "./danger.ts";

export const fleetDanger: Judge = (invocation) => {
  const { name = "", args, via } = invocation;
  if (isLiveData(invocation)) return question(gone(invocation), LOOK_THERE);
  const everywhere = via.at(-1) === "ansible" && /^(?:rm|rmdir|shred|truncate|mv|dd|kill|pkill|reboot)$/.test(name);
  if (!everywhere && name !== "ansible" && name !== "ansible-playbook") return undefined;
  if (args.some(({ text: word }) => ONLY_LOOKS.test(word))) return undefined;
  const live = name === "ansible-playbook" && optionValues(args, ["-i", "--inventory"]).some(isLive) && !isNarrow(args);
  const absent = optionValues(args, ["-e", "--extra-vars", "-a", "--args"]).some(({ text: word }) => GONE.test(word));
  return everywhere || live || absent
    ? question(
        text(
          `This changes many machines at once: ${shown(invocation)}.`,
          `多くのマシンを一度に変更します: ${shown(invocation)}。`,
        ),
        text(
          "Look first with `--check --diff`, or begin with one machine (`--limit host`).",
          "先に `--check --diff` で確認するか、1 台から始めてください（`--limit host`）。",
        ),
      )
    : undefined;
};

/** A cluster's container is not thrown away after the command; its volumes are the application's data. */
function isLiveData({ name, args, via }: Invocation): boolean {
  if (name !== "rm" || !via.some((one) => one === "kubectl" || one === "oc") || !hasOption(args, "rR", "--recursive"))
    return false;
  return args.some(({ text: word }) => word.startsWith("/") && !/^\/(?:tmp|var\/(?:tmp|cache))(?:\/|$)/.test(word));
}

function gone(invocation: Invocation) {
  return text(
    `This deletes files in a running pod: ${shown(invocation)}.`,
    `稼働中の Pod のファイルを削除します: ${shown(invocation)}。`,
  );
}

const LOOK_THERE = text(
  "List what is there first (`kubectl exec … -- ls -la`), and copy it out with `kubectl cp`.",
  "先に `kubectl exec … -- ls -la` で確認し、`kubectl cp` で控えを取ってください。",
);

const ONLY_LOOKS = /^(?:-C|--check|--list-(?:hosts|tasks|tags)|--syntax-check|--help|-h|--version)$/;
const GONE = /\bstate=(?:absent|destroy(?:ed)?|deleted|terminated|wiped)\b/;

function isLive({ text: word }: { readonly text: string }): boolean {
  return /(?:^|[/_.-])(?:prod|production|live)(?:[/_.-]|$)/i.test(word);
}

function isNarrow(args: readonly { readonly text: string }[]): boolean {
  return args.some(({ text: word }) => /^(?:-l|--limit)/.test(word));
}
