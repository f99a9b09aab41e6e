/** The rule of each setting. */

import { CHECKS } from "../check-names.ts";
import { PROFILES } from "./profiles.ts";
import {
  checkCommands,
  directory,
  endings,
  evidenceRules,
  formatCommands,
  graded,
  hasMore,
  list,
  measure,
  minutes,
  mode,
  name,
  names,
  oneOf,
  opening,
  ownCommand,
  ownRoles,
  ownWords,
  path,
  type Rule,
  roles,
  skill,
  some,
  within,
} from "./setting-kinds.ts";

/** A new setting needs a field and a default in `settings.ts`, and a row here. */
export const makeRules = (): Readonly<Record<string, Rule>> => ({
  enabled: oneOf(true, false),
  language: oneOf("auto", "en", "ja"),
  "ask.headless": graded("trust", "ask", "deny"),
  "audit.retention_days": within(1, 3650),
  "audit.max_megabytes": within(16, 65_536),
  security: mode(),
  "protect.minimum": graded("lists", "framework"),
  "branch.protect": names(10, 60),
  "publish.share": graded("off", "ask", "deny"),
  "publish.protected": graded("off", "ask", "deny"),
  "publish.branches": names(20, 60),
  "publish.release": graded("off", "ask", "deny"),
  "lint.before_commit": graded("off", "warn", "ask"),
  "lint.run": { ...oneOf(true, false), personal: true },
  ...makeGateRules(),
  ...makeTrustRules(),
  ...makeModeRules(),
  ...makeVerifyRules(),
  ...makeInboxRules(),
  "quality.tests": graded("off", "ask", "deny"),
  "secrets.env_files": graded("pass", "ask", "deny"),
  "secrets.places": list(),
  // An exemption loosens protection. Extra places are not held for the session, because the list may be too long to
  // store.
  "secrets.exempt": { ...list(), isLooser: (value, than) => hasMore(value, than) },
  "format.enabled": { ...oneOf(true, false), personal: true },
  "format.commands": formatCommands(),
  "undo.retention_days": within(1, 3650),
  "undo.max_megabytes": within(1, 65_536),
  "activity.hint": oneOf(true, false),
  "activity.command": ownCommand(),
  ...makePlanRules(),
  "stance.default": graded("building", "planning", "auditing"),
  "context.guide": oneOf(true, false),
  "context.budget_chars": within(500, 8000),
  "context.global_learnings": path(),
  "context.pressure_info": within(1, 100),
  "context.pressure_urgent": within(1, 100),
  "model.apply": oneOf(true, false),
});

const makeGateRules = (): Readonly<Record<string, Rule>> => ({
  "rules.code_skill": skill(),
  "rules.document_skill": skill(),
  "rules.writing_skill": skill(),
  "rules.read_before_edit": graded("off", "warn", "ask", "deny"),
  "gates.code_extensions": endings(),
  "gates.rules": evidenceRules(),
});

const makeTrustRules = (): Readonly<Record<string, Rule>> => ({
  "trust.initial_score": measure(0, 0.5, "higher"),
  "trust.hibernation_days": measure(1, 3650, "higher", { whole: true }),
  "trust.boost_threshold": measure(1, 100_000, "higher", { whole: true }),
  "trust.warmup_operations": measure(1, 10, "higher", { whole: true }),
  "trust.failure_decay": measure(0.5, 1, "higher", { below: true }),
  "trust.recovery_boost_multiplier": measure(1, 5, "higher"),
  "trust.approve": opening(),
  "risk.lambda1": measure(0, 1, "lower"),
  "risk.lambda2": measure(0, 1, "lower"),
  "autonomy.auto_approve_threshold": measure(0.5, 1, "lower"),
  "autonomy.human_required_threshold": measure(0, 0.7, "lower"),
  "profile.name": oneOf(...PROFILES.flatMap(({ name, values }) => (values ? [name] : []))),
  "profile.trust_gate": graded("risky", "domain"),
  "profile.trust_gate_threshold": measure(0, 1, "lower"),
  "profile.remote": graded("publish", "deny"),
});

const makeModeRules = (): Readonly<Record<string, Rule>> => ({
  "modes.keywords": oneOf(true, false),
  "modes.skills": oneOf(true, false),
  "modes.words": ownWords(),
  "modes.persistent_max": measure(1, 60, "lower", { whole: true }),
  "modes.qa_max": measure(1, 60, "lower", { whole: true }),
  "modes.turbo_max": measure(1, 60, "lower", { whole: true }),
  "modes.reminder": oneOf("off", "change", "always"),
  "modes.tasks": oneOf(true, false),
  "stop.ceiling": measure(1, 60, "lower", { whole: true }),
  "stop.idle": measure(1, 10, "lower", { whole: true }),
});

const makePlanRules = (): Readonly<Record<string, Rule>> => ({
  "plan.required": graded("off", "auto", "code", "all"),
  "plan.free_files": measure(0, 50, "higher", { whole: true }),
  "plan.free_lines": measure(0, 1000, "higher", { whole: true }),
  "plan.s_files": measure(0, 50, "higher", { whole: true }),
  "plan.m_files": measure(1, 50, "higher", { whole: true }),
  "plan.read_first": graded("off", "on"),
  "plan.state_file": oneOf("off", "on"),
  "plan.commits": graded("off", "on"),
  "plan.publish": graded("merge", "pr", "off"),
  "plan.critic": graded("off", "end", "step"),
  "plan.review": graded("off", "reviewer", "path"),
  "plan.depends": graded("warn", "deny"),
  "plan.scope": graded("ask", "deny"),
  "plan.stack": graded("C", "B", "A"),
  "plan.roles": roles(),
});

const makeInboxRules = (): Readonly<Record<string, Rule>> => ({
  "roles.preset": { ...oneOf("off", "lead", "army"), isLooser: (value, than) => value === "off" && than !== "off" },
  "roles.own": ownRoles(),
  "inbox.deliveries": measure(1, 10, "lower", { whole: true }),
  "inbox.notifications": graded("once", "read"),
  "inbox.answer_minutes": within(1, 1440),
  "inbox.observe": oneOf(true, false),
  "inbox.queue": directory(),
  "inbox.wake_seconds": within(1, 3600),
  "inbox.clear": graded("on", "off"),
});

const makeVerifyRules = (): Readonly<Record<string, Rule>> => ({
  "verify.commands": checkCommands(),
  "verify.require": some(...CHECKS),
  "verify.ttl_minutes": minutes(...CHECKS),
  "verify.stop": graded("off", "warn", "once", "block"),
  "verify.pipes": graded("on", "off"),
  "verify.tasks": graded("off", "changed", "all"),
  "verify.subagents": graded("off", "on"),
  "verify.skill": name(),
});
