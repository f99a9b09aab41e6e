import { describe, expect, it } from "vitest";
import { AUTONOMY } from "../../test/golden-trust.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { newState } from "../state/state.ts";
import { newTrust, newTrustLedger, type Trust } from "../state/trust.ts";
import { domainView, ledgerRows, trustRows } from "./trust-domain.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 1, 9);
const ledgerOf = (domains: Readonly<Record<string, Trust>>) => ({ ...newTrustLedger, domains });
const view = (domain: string, trust: Partial<Trust> = {}, now = NOW) => {
  const state = { ...newState, trust: ledgerOf({ file_read: { ...newTrust(0.3, NOW), ...trust } }) };
  return domainView(domain, state, defaultSettings, now);
};

describe("one domain", () => {
  it.each(AUTONOMY)(
    "TR-43 TS-1 at trust %d the autonomy is %d, %d and %d, each with the complexity of its risk",
    (score, low, medium, high) => {
      expect(view("file_read", { score })?.autonomy).toMatchObject({
        low: { autonomy: low },
        medium: { autonomy: medium },
        high: { autonomy: high },
        critical: { decision: "blocked" },
      });
    },
  );

  it("TR-102 names the decision of each estimate: approved above 0.8, logged from 0.4, a person below", () => {
    expect(view("file_read", { score: 0.6 })?.autonomy).toMatchObject({
      low: { decision: "auto_approved" },
      medium: { decision: "logged_only" },
      high: { decision: "logged_only" },
    });
    expect(view("file_read", { score: 0.1 })?.autonomy.high.decision).toBe("human_required");
  });

  it.each([
    [0, "just now"],
    [59_999, "just now"],
    [60_000, "1 minute ago"],
    [59 * 60_000, "59 minutes ago"],
    [3_600_000, "1 hour ago"],
    [7_200_000, "2 hours ago"],
    [DAY, "1 day ago"],
    [3 * DAY, "3 days ago"],
  ])("TR-103 last operated %d ms ago is shown as %s", (ago, words) => {
    expect(view("file_read", {}, NOW + ago)?.last_operated).toBe(words);
  });

  it("TR-30 TR-31 is shown after the loss by absence, and as warming up", () => {
    const shown = view("file_read", { score: 0.8 }, NOW + 64 * DAY);
    expect(shown).toMatchObject({ score: 0.761, is_warming_up: true, warmup_remaining: 5, bar: "███████░░░" });
  });

  it("TR-102 a known domain without records says so, and an unknown one gives nothing", () => {
    expect(view("docs_write")).toMatchObject({ recorded: false, score: 0.3, last_operated: "never" });
    expect(view("frobnicate")).toBeUndefined();
    expect(view("constructor")).toBeUndefined();
  });

  it("TR-64 shows what the stance says about it, because autonomy alone would promise too much", () => {
    expect(view("shell_exec")).toMatchObject({ stance: "building", standing: "gated" });
    const auditing = { ...newState, stance: "auditing" } as const;
    expect(domainView("shell_exec", auditing, defaultSettings, NOW)).toMatchObject({ standing: "denied" });
  });
});

describe("all domains", () => {
  const ledger = ledgerOf({
    shell_exec: { ...newTrust(0.2, NOW), operations: 3, failures: 3, consecutiveFailures: 3, target: 0.3 },
    _global: { ...newTrust(0.9, NOW), operations: 4 },
    file_read: { ...newTrust(0.7, NOW), operations: 12 },
    git_read: { ...newTrust(0.7, NOW - 20 * DAY), operations: 5 },
  });

  it("TR-101 are sorted by score, highest first, without the fallback, with the decision at medium risk", () => {
    expect(trustRows({ trust: ledger }, defaultSettings, NOW)).toEqual([
      { domain: "file_read", bar: "███████░░░", score: 0.7, operations: 12, status: "auto_approved", answer: "passes" },
      {
        domain: "git_read",
        bar: "██████░░░░",
        score: 0.6958,
        operations: 5,
        status: "auto_approved",
        answer: "passes",
      },
      { domain: "shell_exec", bar: "██░░░░░░░░", score: 0.2, operations: 3, status: "logged_only", answer: "passes" },
    ]);
  });

  it("TR-14 include the fallback in the ledger view, with a note on each domain", () => {
    const rows = ledgerRows(ledger, defaultSettings, NOW);
    expect(rows.map(({ domain }) => domain)).toEqual(["_global", "file_read", "git_read", "shell_exec"]);
    expect(rows.at(2)).toMatchObject({ lastOperated: "20 days ago", note: "warming up, 5 left" });
    expect(rows.at(3)).toMatchObject({ failures: 3, note: "recovering -> 0.3, 3 failures in a row" });
  });
});

describe("the answer to an attempt, beside the formula", () => {
  const answers = (domain: string, settings = defaultSettings, stance?: "planning") => {
    const { low, medium, high } =
      domainView(domain, { trust: ledgerOf({}), ...(stance && { stance }) }, settings, NOW)?.autonomy ?? {};
    return [low?.answer, medium?.answer, high?.answer];
  };
  const oath = { ...defaultSettings, profile: { ...defaultSettings.profile, trust_gate: "domain" as const } };

  it("TR-64 the gate, the stance and switched-off policies change the answer", () => {
    expect(answers("shell_exec")).toEqual(["passes", "passes", "asked if lasting"]);
    expect(answers("shell_exec", oath)).toEqual(["asked", "asked", "asked"]);
    expect(answers("file_write_src", oath)).toEqual(["passes", "passes", "passes"]);
    expect(answers("shell_exec", defaultSettings, "planning")).toEqual(["closed", "closed", "closed"]);
    expect(answers("shell_exec", { ...oath, policies: { "require-trust": "off" } })).toEqual([
      "passes",
      "passes",
      "passes",
    ]);
    const approving = { ...defaultSettings, trust: { ...defaultSettings.trust, approve: true } };
    expect(answers("file_read", approving)).toEqual(["answered for you", "passes", "passes"]);
  });
});
