/**
 * Predicts whether the host would read a settings file. Each rule was measured: a value of the wrong shape makes the
 * host drop the whole file silently, including our hooks, while unknown keys are ignored.
 */

export interface Settings {
  readonly [key: string]: unknown;
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly env?: unknown;
}

type Shape = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const isText: Shape = (value) => typeof value === "string";
const isFlag: Shape = (value) => typeof value === "boolean";
const isNumber: Shape = (value) => typeof value === "number";
const isList: Shape = (value) => Array.isArray(value);
const isTexts: Shape = (value) => Array.isArray(value) && value.every(isText);
const isMap: Shape = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const oneOf =
  (...allowed: readonly string[]): Shape =>
  (value) =>
    isText(value) && allowed.includes(value as string);
/** Every present key that has a rule must match it. */
const fields =
  (rules: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isMap(value) &&
    Object.entries(rules).every(
      ([key, holds]) => !Object.hasOwn(value as object, key) || holds((value as Fields)[key]),
    );

const PERMISSION_MODES = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/**
 * The keys whose shape we know. Built on demand, because few events need them. Other keys may be misspelled or from a
 * newer host.
 */
const knownKeys = (): Readonly<Record<string, Shape>> => ({
  $schema: isText,
  apiKeyHelper: isText,
  cleanupPeriodDays: isNumber,
  disableAllHooks: isFlag,
  enabledPlugins: isMap,
  env: isMap,
  includeCoAuthoredBy: isFlag,
  language: isText,
  model: isText,
  outputStyle: isText,
  permissions: fields({
    allow: isList,
    ask: isList,
    deny: isList,
    additionalDirectories: isList,
    defaultMode: oneOf(...PERMISSION_MODES),
  }),
  statusLine: fields({ type: isText, command: isText }),
});

/** Under these events one malformed entry drops the whole file; under the others it is only skipped. */
const STRICT_EVENTS = ["PreToolUse", "PermissionRequest"];

export function wouldBeDropped(settings: Fields): boolean {
  const { hooks } = settings;
  if (Object.entries(knownKeys()).some(([key, holds]) => Object.hasOwn(settings, key) && !holds(settings[key])))
    return true;
  if (hooks === undefined) return false;
  if (!isMap(hooks)) return true;
  return STRICT_EVENTS.some((event) => {
    const groups = (hooks as Fields)[event];
    return groups !== undefined && !(Array.isArray(groups) && groups.every(isGroup));
  });
}

/** Keys of unknown shape, with the type of their value: a change to them cannot be judged. */
export function strangeKeys(settings: Fields): readonly string[] {
  const known = knownKeys();
  return Object.entries(settings)
    .filter(([key]) => key !== "hooks" && !Object.hasOwn(known, key))
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? "list" : value === null ? "null" : typeof value}`);
}

function isGroup(group: unknown): boolean {
  return (
    fields({ matcher: isText, hooks: (hooks) => Array.isArray(hooks) && hooks.every(isHook) })(group) &&
    "hooks" in (group as Fields)
  );
}

const COMMON: Readonly<Record<string, Shape>> = {
  if: isText,
  once: isFlag,
  statusMessage: isText,
  timeout: (value) => isNumber(value) && (value as number) > 0,
};
const onFailure = oneOf("block", "continue");

/** Per hook type: the required fields and the shape of the others. */
const hookShapes = (): Readonly<Record<string, { readonly required: readonly string[]; readonly shape: Shape }>> => ({
  command: {
    required: ["command"],
    shape: fields({
      ...COMMON,
      command: isText,
      args: isTexts,
      async: isFlag,
      asyncRewake: isFlag,
      onFailure,
      shell: oneOf("bash", "powershell"),
    }),
  },
  http: {
    required: ["url"],
    shape: fields({
      ...COMMON,
      url: (value) => isText(value) && URL.canParse(value as string),
      headers: isMap,
      allowedEnvVars: isTexts,
      onFailure,
    }),
  },
  prompt: { required: ["prompt"], shape: fields({ ...COMMON, prompt: isText, model: isText }) },
  agent: { required: ["prompt"], shape: fields({ ...COMMON, prompt: isText, model: isText }) },
  mcp_tool: { required: ["server", "tool"], shape: fields({ ...COMMON, server: isText, tool: isText }) },
});

function isHook(hook: unknown): boolean {
  if (!isMap(hook)) return false;
  const { type } = hook as Fields;
  const shapes = hookShapes();
  const rule = isText(type) && Object.hasOwn(shapes, type as string) ? shapes[type as string] : undefined;
  if (!rule) return false;
  return rule.required.every((key) => Object.hasOwn(hook as object, key)) && rule.shape(hook);
}
