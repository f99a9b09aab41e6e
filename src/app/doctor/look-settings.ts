/** Finds settings and environment variables that would keep the host from calling our hooks. */

import { problemWords } from "../../state/settings/settings.ts";
import { host, registration, setup } from "../host.ts";
import { type Check, type Finding, ok, type Premises, registered } from "./check.ts";

export const settingsRead: Check = {
  id: "settings-read",
  title: "Settings readable",
  look({ files, unreadable, program }) {
    const problems = [
      ...unreadable.map(({ reason }) => reason),
      ...files.flatMap(({ path, text }) => {
        const result = registration.withOurs(text, [], program);
        return "problem" in result ? [`${path}: ${result.problem}`] : [];
      }),
    ];
    if (problems.length === 0) return ok(files.length === 0 ? "no settings file" : `${files.length} file(s)`);
    return {
      state: "fail",
      what: problems.join("; "),
      why: "The client drops such a file whole and says nothing: every hook and every permission rule in it is gone.",
      fix: "Correct it by hand, or restore it from a copy; what belongs there only you know.",
    };
  },
};

const { switches, isLaneKey, variablesIn, forbidsUrls, sandboxes } = setup.settings;

export const disarmed: Check = {
  id: "disarmed",
  title: "Hooks in force",
  look({ files, program }) {
    const found = files.flatMap(({ path, text }) =>
      host
        .arming(text, program)
        .disarms.filter((key) => !isLaneKey(key))
        .map((key) => ({ key, path })),
    );
    if (found.length === 0) return ok("nothing switches them off");
    const isOff = found.some(({ key }) => switches[key] !== undefined);
    const whys = [...new Set(found.map(({ key }) => switches[key] ?? MOVES_GROUND))];
    return {
      state: isOff ? "fail" : "warn",
      what: found.map(({ key, path }) => `${key} in ${path}`).join("; "),
      why: whys.join(" "),
      fix: "Take the key out of that file. It is your setting, so --fix leaves it alone.",
    };
  },
};

const MOVES_GROUND = "Variables set there reach our hooks too, and can move their state or load code into them.";

export const httpHooks: Check = {
  id: "http-hooks",
  title: "Way to the gatehouse",
  look(premises) {
    const fast = registered(premises).filter(({ ours }) => ours.lane === "fast");
    if (fast.length === 0) return ok("the plain lane needs no network");
    const urls = fast.flatMap(({ ours }) => ours.hooks.flatMap(({ hook }) => hook["url"] ?? [])).map(String);
    return forbiddenUrls(premises, urls) ?? proxied(premises) ?? sandboxed(premises) ?? ok("nothing stands in it");
  },
};

function forbiddenUrls({ files }: Premises, urls: readonly string[]): Finding | undefined {
  const strict = files.filter(({ text }) => forbidsUrls(text, urls));
  if (strict.length === 0) return undefined;
  return {
    state: "fail",
    what: `allowedHttpHookUrls in ${strict.map(({ path }) => path).join(", ")} leaves the gatehouse out`,
    why: "The client does not ask it; every change is blocked.",
    fix: 'Add "http://127.0.0.1:*" to that list, or choose the plain lane: `sekisho init --lane plain`.',
  };
}

function proxied({ env, files }: Premises): Finding | undefined {
  const everywhere = [
    { where: "the environment", vars: env },
    ...files.map(({ path, text }) => ({ where: path, vars: variablesIn(text) })),
  ];
  const lastOf = (name: string): string =>
    everywhere.map(({ vars }) => vars[name] ?? vars[name.toLowerCase()] ?? "").findLast((value) => value !== "") ?? "";
  const proxies = everywhere.flatMap(({ where, vars }) =>
    Object.keys(vars).flatMap((name) =>
      /^(?:https?|all)_proxy$/i.test(name) && vars[name] ? [`${name} in ${where}`] : [],
    ),
  );
  const isSpared = lastOf("NO_PROXY")
    .split(/[\s,]+/)
    .some((host) => host === "*" || host === "127.0.0.1");
  if (proxies.length === 0 || isSpared) return undefined;
  return {
    state: "fail",
    what: `a proxy stands before the gatehouse: ${proxies.join(", ")}`,
    why: "The client sends its questions to the proxy, which cannot reach this machine's loopback, or answers for us.",
    fix: "Add 127.0.0.1 to NO_PROXY where the proxy is set, or choose the plain lane: `sekisho init --lane plain`.",
  };
}

function sandboxed({ files }: Premises): Finding | undefined {
  const found = files.filter(({ text }) => sandboxes(text));
  if (found.length === 0) return undefined;
  return {
    state: "warn",
    what: `the client's network is sandboxed by ${found.map(({ path }) => path).join(", ")}`,
    why: "Hooks that go over the network may be held back by the sandbox, and then every change is blocked.",
    fix: "See below whether the proof through the client holds; if not, choose the plain lane: `sekisho init --lane plain`.",
  };
}

const SECONDS_MAX = 1000;

export const timeouts: Check = {
  id: "timeouts",
  title: "Time-outs of others",
  look({ files }) {
    const found = files.flatMap(({ path, text }) =>
      registration
        .foreignHooksIn(text)
        .flatMap(({ event, hook }) =>
          typeof hook["timeout"] === "number" && hook["timeout"] >= SECONDS_MAX
            ? [`${event} hook in ${path}: ${hook["timeout"]} s`]
            : [],
        ),
    );
    if (found.length === 0) return ok("none that look like milliseconds");
    return {
      state: "warn",
      what: found.join("; "),
      why: "The client counts seconds. A hook that hangs would hold the session that long; milliseconds were probably meant.",
      fix: "Divide it by 1000. The hook is not ours, so --fix leaves it alone.",
    };
  },
};

export const ownSettings: Check = {
  id: "own-settings",
  title: "Sekisho's settings",
  look({ settings: { settings, problems, custom, from } }) {
    if (!settings.enabled) {
      return {
        state: "warn",
        what: "this project has opted out (enabled: false)",
        why: "Nothing is checked and nothing is recorded here.",
        fix: `If that is not meant, take \`enabled: false\` out of ${from?.["enabled"] ?? "the settings file"}, or: sekisho config unset enabled`,
      };
    }
    if (problems.length > 0) {
      return {
        state: "warn",
        what: problems.map(problemWords).join("; "),
        why: "A value that breaks its rule is ignored; what you meant is not in force.",
        fix: "Correct it there; `sekisho config validate` says whether it holds then.",
      };
    }
    return ok(custom.length === 0 ? "all at their defaults" : `custom: ${custom.join(", ")}`);
  },
};
