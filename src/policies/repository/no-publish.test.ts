import { describe, expect, it } from "vitest";
import type { Gathered, PushSite } from "../../kernel/facts.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, using } from "../example.ts";
import { noPublish } from "./no-publish.ts";

const all = (wanted: "off" | "ask" | "deny") => ({
  settings: {
    ...defaultSettings,
    publish: { ...defaultSettings.publish, share: wanted, protected: wanted, release: wanted },
  },
});
const mcp = (name: string) => using({ kind: "mcp", name, words: [] });

const RELEASES = [
  "npm publish",
  "npm --workspace a publish",
  "pnpm -r publish",
  "yarn npm publish",
  "npx lerna publish",
  "npx semantic-release",
  "cargo publish -p a",
  "twine upload dist/*",
  "python3 -m twine upload dist/*",
  "poetry publish --build",
  "uv publish",
  "gem push a.gem",
  "mvn -B deploy",
  "dotnet nuget push a.nupkg",
  "docker push org/image:latest",
  "docker buildx build --push -t org/image .",
  "podman push image",
  "helm push chart.tgz oci://example",
  "gh release create v1",
  "gh api -X POST repos/o/r/releases -f tag_name=v1",
  "git push --tags",
  "git push origin refs/tags/v1",
  "git push origin v1.2.3",
  "git push --follow-tags",
  "sudo env A=1 bash -c 'npm publish'",
  "cd pkg && npm publish",
  "f() { npm publish; }; f",
];

const SHARES = [
  "git push",
  "git push -u origin topic",
  "git push origin HEAD:topic",
  "git -C sub push origin topic",
  "gh pr create --fill",
  "gh pr merge 12 --squash",
  "gh -R o/r pr merge 12",
  "gh api --method PUT repos/o/r/pulls/1/merge",
  "glab mr create",
  "jj git push",
  "git commit -am x && git push",
];

const NEITHER = [
  "npm run build && npm pack",
  "npm publish --dry-run",
  "git push --dry-run --tags",
  "docker build -t x . && docker pull y",
  "gh pr view 1 && gh pr list && gh release view v1",
  "gh api repos/o/r/releases",
  "gh api -X GET repos/o/r/pulls -f state=open",
  "git fetch --tags && git tag v1",
  "cargo build && cargo test",
  "echo npm publish; git commit -m 'npm publish'",
  "cat publish.md && ls publish",
  "npm install publish-helper",
];

describePolicy(noPublish, ({ denies, asks, passes }) => {
  for (const command of RELEASES) {
    asks(`by default: ${command}`, bash(command));
    denies(`where it is denied: ${command}`, bash(command), all("deny"));
    passes(`where it is off: ${command}`, bash(command), all("off"));
  }
  for (const command of SHARES) {
    passes(`by default: ${command}`, bash(command));
    asks(`where it is asked: ${command}`, bash(command), all("ask"));
    denies(`where it is denied: ${command}`, bash(command), all("deny"));
  }
  for (const command of NEITHER) passes(`never: ${command}`, bash(command), all("deny"));

  asks("a server's release", mcp("mcp__github__create_release"));
  denies("a server's pull request", mcp("mcp__github__create_pull_request"), all("deny"));
  denies("a server's push", mcp("mcp__github__push_files"), all("deny"));
  passes("a server's list", mcp("mcp__github__list_pull_requests"), all("deny"));
});

const at = (pushSite: PushSite): Gathered => ({ pushes: { "/home/dev/project": pushSite } });

describePolicy(noPublish, ({ denies, asks, passes }) => {
  for (const ref of ["main", "HEAD:main", "topic:refs/heads/master", "develop", "release/1.2"])
    asks(`a push to a protected branch: ${ref}`, bash(`git push origin ${ref}`));
  for (const ref of ["topic", "HEAD:topic", "maintain", "feature/main", "main:topic"])
    passes(`a push to another branch: ${ref}`, bash(`git push origin ${ref}`), at({ current: "topic" }));
  for (const command of ["git push", "git push -u origin HEAD", "git push --force-with-lease", "git push origin @"]) {
    asks(`on main: ${command}`, bash(command), at({ current: "main" }));
    passes(`on another branch: ${command}`, bash(command), at({ current: "topic" }));
  }
  asks("the default branch of the repository", bash("git push origin next"), at({ current: "x", main: "next" }));
  asks("the settings of git send it to main", bash("git push"), at({ current: "topic", target: "main" }));
  asks("all branches", bash("git push --all"), at({ current: "topic" }));
  asks("main is checked out first", bash("git checkout main && git push"), at({ current: "topic" }));
  asks("a file that is checked out is no branch", bash("git checkout a.txt && git push"), at({ current: "main" }));
  passes("a new branch", bash("git switch -c topic && git push -u origin HEAD"), at({ current: "main" }));
  asks("a new branch that may fail", bash("git switch -c topic; git push -u origin HEAD"), at({ current: "main" }));
  passes("a remote in a scratch directory", bash("git push origin main"), at({ current: "main", scratch: true }));
  for (const before of ["git config push.default upstream", "git remote set-url origin x", "git branch -u origin/main"])
    asks(`the line changes where it goes: ${before}`, bash(`${before} && git push`), at({ current: "topic" }));
  asks("another address for this one push", bash("git -c remote.origin.pushurl=x push origin main"), {
    ...at({ current: "main", scratch: true }),
  });
  passes("a dry run", bash("git push -n origin main"));
  const none = { settings: { ...defaultSettings, publish: { ...defaultSettings.publish, branches: [] } } };
  passes("no branch is protected", bash("git push origin main"), none);
  denies("where sharing is denied", bash("git push origin main"), all("deny"));
});

describe("a line that shares and releases", () => {
  it("the stricter setting counts, in either order", () => {
    const given = { settings: { ...defaultSettings, publish: { ...defaultSettings.publish, share: "deny" as const } } };
    for (const command of ["npm publish && git push", "git push && npm publish"])
      expect(verdictOf(noPublish, bash(command), given).decision).toBe("deny");
  });
});
