/** `state.md` of the playbook framework, as far as it says something that a person may want here. */
import { readYaml } from "../settings/settings-yaml.ts";

export interface ReadState {
  /** `key`, and the value as a person would type it. */
  readonly settings: readonly (readonly [string, string])[];
  readonly notes: readonly string[];
}

export function looksLikeState(text: string): boolean {
  return /^##[ \t]+(?:focus|playbook|goal|session|config)[ \t]*$/m.test(text) && /^```ya?ml/m.test(text);
}

export function readStateFile(text: string): ReadState | { readonly problem: string } {
  const sections = sectionsIn(text);
  if ("problem" in sections) return { problem: sections.problem };
  const { config = {}, playbook = {} } = sections.found;
  const { security, toolstack, roles } = config;
  const isMap = typeof roles === "object" && roles !== null;
  const pairs = isMap ? Object.entries(roles).map(([role, name]) => `${role}=${String(name)}`) : [];
  const settings = [
    ...(typeof security === "string" ? [["security", security] as const] : []),
    ...(typeof toolstack === "string" ? [["plan.stack", toolstack] as const] : []),
    ...(pairs.length > 0 ? [["plan.roles", pairs.join(",")] as const] : []),
  ];
  return { settings, notes: notesOn(playbook["active"]) };
}

/** A plan counts by a person's approval, never by a line in a file. */
function notesOn(active: unknown): readonly string[] {
  if (typeof active !== "string" || active === "" || active === "null") return [];
  return [
    `It names the plan ${active}, which nobody has approved here: \`sekisho playbook adopt ${active}\` governs it where it lies, \`sekisho playbook import ${active}\` makes a playbook of it.`,
  ];
}

type Section = Readonly<Record<string, unknown>>;

/** Level-2 sections, each with one block of YAML, which is parsed: no extra line or comment hides a value. */
export function sectionsIn(
  text: string,
): { readonly found: Readonly<Record<string, Section>> } | { readonly problem: string } {
  const found: Record<string, Section> = {};
  const block = /^##[ \t]+(\w+)[ \t]*\n(?:(?!^#|^```)[^\n]*\n)*```ya?ml[ \t]*\n(.*?)^```[ \t]*$/gms;
  for (const [, name = "", body = ""] of text.replace(/\r\n/g, "\n").matchAll(block)) {
    const read = readYaml(body);
    const value = "layer" in read ? read.layer : undefined;
    if (typeof value !== "object" || value === null) return { problem: `The block of "${name}" is no YAML map.` };
    if (SECTIONS.includes(name)) found[name] = value as Section;
  }
  return { found };
}

const SECTIONS = ["focus", "playbook", "goal", "session", "config"];
