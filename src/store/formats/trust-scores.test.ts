import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defaultRates,
  newTrustLedger,
  recordOutcome,
  reduceTrust,
  type Trust,
  type TrustLedger,
} from "../../state/trust.ts";
import { trustScores } from "../../views/trust-scores.ts";
import { fitRecord } from "../journal/fit.ts";
import { looksLikeTrustScores, readTrustScores, type TrustFile, trustImport } from "./trust-scores.ts";

const NOW = Date.UTC(2026, 2, 1, 8);
const WHOLE = {
  score: 0.51,
  successes: 20,
  failures: 1,
  total_operations: 21,
  last_operated_at: "2026-02-28T08:00:00Z",
  is_warming_up: true,
  warmup_remaining: 3,
  consecutive_failures: 1,
  pre_failure_score: 0.6,
  is_recovering: true,
};
/** As Phase 1 wrote it, without the fields that Phase 2a added. */
const { consecutive_failures: _, pre_failure_score: __, is_recovering: ___, ...PHASE_1 } = WHOLE;

const file = (domains: object, more: object = {}): string =>
  JSON.stringify({ version: "2", updated_at: "2026-02-28T08:00:00Z", global_operation_count: 21, domains, ...more });
const read = (text: string) => readTrustScores(text, NOW);

function valueIn(text: string): TrustFile {
  const reading = read(text);
  if ("problem" in reading) throw new Error(reading.problem);
  return reading.value;
}

/** The ledger after importing a file. */
const folded = (value: TrustFile, before: TrustLedger = newTrustLedger): TrustLedger =>
  trustImport(value).reduce((ledger, change) => reduceTrust(ledger, change, NOW), before);
/** The ledger as a file, without counting absence. */
const written = (ledger: TrustLedger) =>
  trustScores(ledger, NOW, { ...defaultRates, hibernation_days: Number.POSITIVE_INFINITY });

describe("importing trust-scores.json", () => {
  it("TR-16 the single record of version 1 becomes the fallback, dated now and without warm-up", () => {
    for (const version of [{}, { version: "1" }, { version: 1 }]) {
      const value = valueIn(JSON.stringify({ ...version, score: 0.62, successes: 7, failures: 2 }));
      expect(written(folded(value))).toEqual({
        version: "2",
        updated_at: "2026-03-01T08:00:00Z",
        global_operation_count: 9,
        domains: {
          _global: {
            score: 0.62,
            successes: 7,
            failures: 2,
            total_operations: 9,
            last_operated_at: "2026-03-01T08:00:00Z",
            is_warming_up: false,
            warmup_remaining: 0,
            consecutive_failures: 0,
            pre_failure_score: null,
            is_recovering: false,
          },
        },
      });
    }
  });

  it("TR-17 TS-4 fields missing in Phase 1 are filled in, existing ones are kept, and repeating it changes nothing", () => {
    const once = written(folded(valueIn(file({ shell_exec: PHASE_1 }))));
    expect(once.domains["shell_exec"]).toEqual({
      ...PHASE_1,
      consecutive_failures: 0,
      pre_failure_score: null,
      is_recovering: false,
    });
    expect(written(folded(valueIn(JSON.stringify(once))))).toEqual(once);
    expect(written(folded(valueIn(file({ shell_exec: WHOLE })))).domains["shell_exec"]).toEqual(WHOLE);
  });

  it("TS-4 Phase 1 data accepts a success and a failure", () => {
    const ledger = folded(valueIn(file({ shell_exec: PHASE_1 })));
    expect(recordOutcome(ledger, "shell_exec", "success", NOW).domains["shell_exec"]).toMatchObject({
      score: 0.5296,
      warmup: 2,
    });
    expect(recordOutcome(ledger, "shell_exec", "failure", NOW).domains["shell_exec"]).toMatchObject({
      score: 0.4335,
      consecutiveFailures: 1,
      target: 0.51,
    });
  });

  it("TR-27 a recovery without a target is dropped, with a note", () => {
    for (const target of [{ pre_failure_score: null }, { pre_failure_score: undefined }]) {
      const reading = read(file({ shell_exec: { ...WHOLE, ...target } }));
      expect(reading).toMatchObject({ notes: ["shell_exec recovers to no target: taken as not recovering"] });
      const ledger = folded(valueIn(file({ shell_exec: { ...WHOLE, ...target } })));
      expect(written(ledger).domains["shell_exec"]).toMatchObject({ pre_failure_score: null, is_recovering: false });
    }
  });

  it("TR-31 absence counts once, however often the ledger is exported and imported", () => {
    const old = file({ git_local: { ...PHASE_1, score: 0.8, last_operated_at: "2025-12-27T08:00:00Z" } });
    let ledger = folded(valueIn(old));
    for (let times = 0; times < 3; times++) {
      expect(trustScores(ledger, NOW, defaultRates).domains["git_local"]).toMatchObject({ score: 0.761 });
      ledger = folded(valueIn(JSON.stringify(written(ledger))), ledger);
    }
  });
});

describe("an invalid file", () => {
  const domain = (fields: object, name = "shell_exec"): string => file({ [name]: { ...WHOLE, ...fields } });
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`d${at}`, WHOLE]));
  it.each(
    (
      [
        ["", /^the file is not JSON/],
        ["{", /^the file is not JSON/],
        ["\uFEFF{}", "the file begins with a byte order mark: save it as UTF-8 without one."],
        ["[]", "the file must be a map of fields, but it is a list."],
        ["null", "the file must be a map of fields, but it is null."],
        ['"2"', 'the file must be a map of fields, but it is "2".'],
        [`{"a":"${"x".repeat(300_000)}"}`, /^the file must have at most 262144 letters, but has 300008/],
        ['{"score":NaN,"successes":1,"failures":1}', /^the file is not JSON/],
        ["{}", "successes is missing."],
        ['{"score":1.1,"successes":1,"failures":1}', "score must be a number from 0 to 1, but it is 1.1."],
        ['{"score":"1","successes":1,"failures":1}', 'score must be a number from 0 to 1, but it is "1".'],
        ['{"score":1,"successes":-1,"failures":1}', "successes must be a whole number from 0, but it is -1."],
        ['{"version":"3"}', 'version "3" is newer than this program knows ("2"): import it with a newer Sekisho.'],
        ['{"version":"two"}', 'version must be "1" or "2", but it is "two".'],
        ['{"domains":{}}', 'version is missing; with "domains" in the file it should be "2".'],
        ['{"version":"2","global_operation_count":0}', "domains must be a map of fields."],
        [file([]), "domains must be a map of fields, but it is a list."],
        [
          file({}, { global_operation_count: 1.5 }),
          "global_operation_count must be a whole number from 0, but it is 1.5.",
        ],
        [file({}, { global_operation_count: undefined }), "global_operation_count is missing."],
        [file(many), "domains must be at most 64, but there are 65."],
        [file({ shell_exec: 3 }), "domains.shell_exec must be a map of fields, but it is 3."],
        [domain({ score: -0.1 }), "domains.shell_exec.score must be a number from 0 to 1, but it is -0.1."],
        [file({ a: { ...WHOLE, score: undefined } }), "domains.a.score is missing."],
        [domain({}).replace("0.51", "1e999"), /^domains.shell_exec.score must be a number from 0 to 1/],
        [domain({ failures: -1 }), "domains.shell_exec.failures must be a whole number from 0, but it is -1."],
        [domain({ total_operations: 2 ** 60 }), /^domains.shell_exec.total_operations must be a whole number/],
        [domain({ is_warming_up: "yes" }), 'domains.shell_exec.is_warming_up must be true or false, but it is "yes".'],
        [domain({ warmup_remaining: -2 }), /^domains.shell_exec.warmup_remaining must be a whole number/],
        [domain({ pre_failure_score: 2 }), /^domains.shell_exec.pre_failure_score must be a number from 0 to 1/],
        [domain({ last_operated_at: "2026-03-01T08:00:01Z" }), /last_operated_at must not be in the future, but it is/],
        [domain({ last_operated_at: "yesterday" }), /last_operated_at must be a time such as 2026-03-01T08:00:00Z/],
        [domain({ last_operated_at: null }), /last_operated_at must be a time such as/],
        [domain({ last_operated_at: 1 }), /last_operated_at must be a time such as/],
        [
          `{"version":"2","global_operation_count":0,"domains":{"__proto__":{"score":1}}}`,
          /^a name in domains must be/,
        ],
        [domain({}, "constructor"), /^a name in domains must be letters.*but it is "constructor"/],
        [domain({}, "a b\u001b[31m"), /^a name in domains must be letters/],
        [domain({}, ""), /^a name in domains must be letters/],
      ] as const
    ).map(([text, problem]) => ({ text, problem })),
  )("$problem", ({ text, problem }) => {
    expect(read(text)).toEqual({ problem: typeof problem === "string" ? problem : expect.stringMatching(problem) });
  });

  it("is distinguished from other files", () => {
    expect([file({}), '{"score":1,"successes":1,"failures":1}'].map(looksLikeTrustScores)).toEqual([true, true]);
    expect(["building", '{"hooks":{}}', '["successes"]'].map(looksLikeTrustScores)).toEqual([false, false, false]);
  });
});

const score = fc.integer({ min: 0, max: 100_000 }).map((whole) => whole / 100_000);
const count = fc.nat({ max: 1_000_000 });
const trust: fc.Arbitrary<Trust> = fc
  .record({
    score,
    successes: count,
    failures: count,
    operations: count,
    lastAt: fc.integer({ min: 1, max: NOW / 1000 }).map((seconds) => seconds * 1000),
    warmup: fc.nat({ max: 100 }),
    consecutiveFailures: count,
    target: fc.option(score, { nil: undefined }),
  })
  .map(({ target, ...rest }) => ({ ...rest, ...(target !== undefined && { target }) }));
const name = fc
  .stringMatching(/^[a-z_][a-z0-9_.:-]{0,63}$/)
  .filter((word) => !/^(?:__proto__|constructor|prototype)$/.test(word));
const ledger: fc.Arbitrary<TrustLedger> = fc
  .record({ domains: fc.dictionary(name, trust, { maxKeys: 64, noNullPrototype: true }), operations: count })
  .map((given) => ({ ...newTrustLedger, ...given, updatedAt: NOW }));

describe("a trust import", () => {
  it("TR-10 TR-17 of an export gives the same ledger", () => {
    fc.assert(
      fc.property(ledger, ledger, (whole, before) => {
        const out = written(whole);
        if (Object.keys(out.domains).length > 64) return;
        expect(written(folded(valueIn(JSON.stringify(out)), before))).toEqual(out);
      }),
    );
  });

  it("that is interrupted leaves no fallback, and running it again completes it", () => {
    fc.assert(
      fc.property(ledger, trust, fc.nat(), ({ domains: others, operations }, fallback, cut) => {
        const domains = { ...others, _global: fallback };
        const changes = trustImport({ domains, operations });
        const half = changes
          .slice(0, cut % changes.length)
          .reduce((kept, change) => reduceTrust(kept, change, NOW), newTrustLedger);
        expect(Object.hasOwn(half.domains, "_global")).toBe(false);
        expect(folded({ domains, operations }, half).domains).toEqual(domains);
      }),
    );
  });

  it("fits into journal records without cuts", () => {
    fc.assert(
      fc.property(ledger, ({ domains, operations }) => {
        for (const change of trustImport({ domains, operations })) {
          const record = {
            kind: "action",
            action: "import",
            changes: [change],
            rid: "mwjajt700092zl48n9l",
            t: NOW,
          } as const;
          expect(fitRecord(record)).toBe(record);
        }
      }),
    );
  });

  it("keeps outcomes that are recorded while it is written", () => {
    const domains = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`d${at}`, { ...(valueIn(file({ a: WHOLE })).domains["a"] as Trust) }]),
    );
    const [first, ...rest] = trustImport({ operations: 100, domains });
    if (!first) throw new Error("no change");
    const between = recordOutcome(reduceTrust(newTrustLedger, first, NOW), "file_read", "success", NOW);
    const after = rest.reduce((kept, change) => reduceTrust(kept, change, NOW), between);
    expect(rest.length).toBeGreaterThan(0);
    expect(after.operations).toBe(101);
    expect(after.domains["file_read"]).toMatchObject({ successes: 1 });
  });
});
