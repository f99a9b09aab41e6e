import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { bash, using } from "../example.ts";
import { noPublish } from "./no-publish.ts";

const all = (wanted: "off" | "ask" | "deny") => ({
  settings: { ...defaultSettings, publish: { share: wanted, release: wanted } },
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
  "git push origin HEAD:main",
  "git -C sub push origin main",
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

describe("a line that shares and releases", () => {
  it("the stricter setting counts, in either order", () => {
    const given = { settings: { ...defaultSettings, publish: { share: "deny" as const, release: "ask" as const } } };
    for (const command of ["npm publish && git push", "git push && npm publish"])
      expect(verdictOf(noPublish, bash(command), given).decision).toBe("deny");
  });
});
