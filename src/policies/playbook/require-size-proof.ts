import { askedOr, type GrownFound, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, type Known, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { text } from "../../lib/text.ts";
import { isAbove, sizeOf } from "../../playbook/ladder.ts";
import type { Growth } from "../../state/session/growth.ts";
import { growthOf } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { PLACE } from "../example.ts";
import { grownSession } from "./example-growth.ts";
import { isWaived } from "./growth-gate.ts";
import { numbersOf, tooLarge } from "./size-words.ts";

/** Where `plan.required` is `auto`: more than a small change needs a command that passed, a large one its plan. */
export const requireSizeProof = definePolicy({
  id: "require-size-proof",
  only: "growth",
  on: ["Stop"],
  needs: ["settings", "session", "plan", "grown", "checkedTrees"],
  needsIf: { plan: hasGrown, grown: hasGrown },
  bound: 2,
  level: "step",
  why: text(
    "What nobody looked at while it was made should at least have run once.",
    "作業中に誰も見ていなかったものは、せめて一度は動かしておく。",
  ),
  applies: (event) => event.awaitsAgent !== true && event.backgroundTasks === 0,

  check({ facts: { settings, session, plan, grown, checkedTrees } }) {
    if (grown === NOT_ASKED || plan === NOT_ASKED) return pass;
    const { changed, root } = grown as GrownFound;
    const growth = growthOf(session);
    const size = sizeOf(changed ?? namedIn(growth, root), settings.plan);
    const found = askedOr<PlanFound>(plan, { root, drafts: [], named: [] });
    const hasLines = changed !== undefined;
    if (isAbove(size.tier, "S") && found.active?.standing !== "approved" && !isWaived(growth))
      return tooLarge(size, hasLines, found, settings.plan);
    const isVerified = settings.verify.stop !== "off" && settings.verify.stop !== "warn";
    // Where the project has checks, `require-verification` asks for them.
    if (
      isVerified &&
      checkedTrees.some(({ checks }) => checks.some(({ name }) => settings.verify.require.includes(name)))
    )
      return pass;
    return size.tier === "free" || hasPassed(growth, root) ? pass : unproven(numbersOf(size, hasLines));
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "auto" as const } };
    const when = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const changed = (count: number) => ({
      ...{ root: PLACE, commit: "", folders: [] },
      changed: Array.from({ length: count }, (_, at) => ({ path: `src/${at}.ts`, lines: 9, all: 9 })),
    });
    const session = grownSession("src/0.ts");
    const proven = { ...session, growth: { ...growthOf(session), passedAt: 900 } };
    return [
      { expect: "pass", when, given: { settings, session, grown: changed(1) } },
      { expect: "deny", when, given: { settings, session, grown: changed(2) } },
      { expect: "pass", when, given: { settings, session: proven, grown: changed(2) } },
      { expect: "deny", when, given: { settings, session: proven, grown: changed(4) } },
    ];
  },
});

function hasGrown({ settings, session }: Known): boolean {
  const trees = Object.values(growthOf(session).trees);
  const isAny = trees.some(({ files, unreadAt }) => unreadAt !== undefined || Object.keys(files).length > 0);
  return settings.plan.required === "auto" && isAny;
}

function namedIn({ trees }: Growth, root: string) {
  return Object.keys(own(trees, root)?.files ?? {}).map((path) => ({ path, lines: 1, all: 1 }));
}

function hasPassed({ trees, passedAt = 0 }: Growth, root: string): boolean {
  return passedAt > Math.max(0, ...Object.values(own(trees, root)?.files ?? {}));
}

function unproven(numbers: ReturnType<typeof numbersOf>): Ruling {
  return deny({
    what: text(
      `Not done yet: ${numbers.en} No command has passed since the last of them changed.`,
      `まだ完了していません。${numbers.ja}最後の変更の後に成功したコマンドがありません。`,
    ),
    fix: text(
      "Run a command that shows the change works, such as the program itself or a test, then finish.",
      "変更が動くことを示すコマンド (プログラム自体やテスト) を実行してから終えてください。",
    ),
  });
}
