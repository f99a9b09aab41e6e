import { execFileSync } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { scriptsOf } from "./scripts.ts";

const root = tempDirectory("read");
const found = (command: string, session: Parameters<typeof scriptsOf>[2] = { startedAt: 0 }) =>
  scriptsOf(
    operationOf({ kind: "bash", name: "Bash", command, background: false }, { cwd: root, home: "/h" }),
    "/h",
    session,
  );

describe("the scripts a command runs", () => {
  it("pipes, directories and devices do not block and are not scripts", () => {
    execFileSync("mkfifo", [join(root, "pipe.sh")]);
    expect(found("sh pipe.sh; sh .; sh /dev/zero; sh missing.sh; sh $X; sh *.sh")).toEqual([]);
  });

  it("reads at most four scripts of at most 64 kB each; the origin of the others is still known", () => {
    for (let n = 0; n < 6; n += 1) writeFileSync(join(root, `f${n}.sh`), "true\n");
    writeFileSync(join(root, "large.sh"), "#".repeat(65_537));
    const many = found(Array.from({ length: 6 }, (_, n) => `sh f${n}.sh`).join(";"));
    expect(many.map(({ operation }) => operation !== undefined)).toEqual([true, true, true, true, false, false]);
    expect(found("sh large.sh").map(({ text, origin }) => [text, origin])).toEqual([[undefined, "recent"]]);
    const hundred = found(Array.from({ length: 100 }, (_, n) => `sh f1.sh ${n}`).join(";"));
    expect(hundred.length).toBeLessThanOrEqual(33);
    expect(hundred.at(-1)).toMatchObject({ origin: "session" });
  });

  it("a backdated file does not count as older, and a new file in a directory the session wrote is the session's", () => {
    const path = join(root, "old.sh");
    writeFileSync(path, "true\n");
    utimesSync(path, 1, 1);
    const began = Date.now() - 60_000;
    expect(found("sh old.sh", { startedAt: began })[0]?.origin).toBe("recent");
    expect(found("sh old.sh", { startedAt: began, written: [path] })[0]?.origin).toBe("session");
    expect(found("sh old.sh", { startedAt: began, written: [root] })[0]?.origin).toBe("session");
    expect(found("sh old.sh", { startedAt: Date.now() + 60_000, written: [root] })[0]?.origin).toBe("project");
  });

  it("a makefile crafted to be slow to parse is parsed quickly", () => {
    writeFileSync(join(root, "slow.mk"), `${" ".repeat(60_000)}x\nall:\n\ttrue\nA =${" ".repeat(4_000)}x\n`);
    expect(found("make -f slow.mk")).toHaveLength(1);
  });
});
