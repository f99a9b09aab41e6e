/** Profiles: named sets of settings, as a quick start without writing a settings file. */

export interface Profile {
  readonly name: string;
  /** One-line description. */
  readonly about: string;
  /** Values by setting key. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Policies that it switches on. */
  readonly policies?: readonly string[];
}

/** `balanced` equals the defaults, so it sets nothing. */
export const PROFILES: readonly [Profile, ...Profile[]] = [
  {
    name: "balanced",
    about: "refuses what nothing undoes, asks where a person may want it, records everything",
    values: {},
  },
  {
    name: "oath",
    about: "asks wherever trust has not been earned yet; nothing leaves the machine by git",
    values: {
      "profile.trust_gate": "domain",
      "profile.remote": "deny",
      "ask.headless": "deny",
      "verify.stop": "block",
      "verify.pipes": "off",
    },
  },
  {
    name: "praxis",
    about: "skills before code and documents, tests guarded, and proof before anything counts as done",
    values: {
      "rules.code_skill": "code-quality-rules",
      "rules.document_skill": "document-quality-rules",
      "rules.writing_skill": "writing-skills",
      "rules.read_before_edit": "warn",
      "verify.skill": "verification-before-completion",
      "verify.stop": "block",
      "verify.tasks": "all",
      "verify.subagents": "on",
      "quality.tests": "ask",
      "activity.hint": true,
      "context.guide": true,
    },
  },
  {
    name: "drive",
    about: "keeps the agent at it: skills by keyword, open tasks in sight, edits formatted, tests guarded",
    values: {
      "modes.skills": true,
      "modes.tasks": true,
      "quality.tests": "ask",
      "verify.subagents": "on",
      "format.enabled": true,
    },
  },
  {
    name: "playbook",
    about: "no change without a plan that you approved and a reviewer passed, no step done without a critic",
    values: {
      "plan.required": "all",
      "plan.read_first": "on",
      "plan.review": "path",
      "plan.critic": "step",
      "plan.depends": "deny",
      "plan.scope": "ask",
      "plan.state_file": "on",
      "plan.commits": "auto",
      "protect.minimum": "framework",
      "lint.run": true,
    },
    policies: ["no-main-branch-edit"],
  },
  {
    name: "army",
    about: "several agents with roles: messages are read before a turn ends, and queue/inbox is read and written",
    values: { "roles.preset": "army", "inbox.queue": "queue/inbox" },
  },
];
