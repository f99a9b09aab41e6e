/** A refused effect, attempted again in every other way. */
import { describe, expect, it } from "vitest";
import { bash, use } from "./scripted-model.ts";
import { openStage } from "./stage.ts";

describe("an effect that was refused", () => {
  it("stays refused through sed, a program, a heredoc and a script written first and run later", async () => {
    const stage = openStage();
    const path = `${stage.project}/.sekisho/config.yaml`;
    const off = "enabled: false\n";
    const session = await stage.session([
      use("Write", { file_path: path, content: off }, "first"),
      bash(`sed -i s/true/false/ ${path}`, "sed"),
      bash(`python3 -c "open('.sekisho/config.yaml','w').write('enabled: false')"`, "python"),
      bash(`cat > .sekisho/config.yaml <<'E'\n${off}E`, "heredoc"),
      use(
        "Write",
        { file_path: `${stage.project}/later.sh`, content: `echo '${off}' > .sekisho/config.yaml\n` },
        "script",
      ),
      bash("sh later.sh", "run"),
      use("Write", {
        file_path: `${stage.project}/later.py`,
        content: "open('.sekisho/config.yaml', 'w').write('x')\n",
      }),
      bash("python3 later.py", "run-python"),
      bash("ls .sekisho; echo looked", "look"),
    ]);
    expect(session.told("first")).toContain("[no-tampering]");
    for (const call of ["sed", "python", "heredoc", "run", "run-python"]) {
      expect(session.told(call), call).toContain("[no-workaround]");
      expect(session.told(call), call).toMatch(/Write on \S+config\.yaml was refused \d+ min ago \(no-tampering/);
    }
    expect(stage.read("later.sh"), "text is data").toContain("config.yaml");
    expect(session.told("look")).toContain("looked");
    expect(stage.read(".sekisho/config.yaml")).toBeUndefined();
    expect(stage.sekisho("status").stdout).toMatch(/5 no-workaround/);
  });

  it("a destructive script is refused when it is run, not when it is written", async () => {
    const stage = openStage();
    stage.write("hello.txt", "not committed yet\n");
    const session = await stage.session([
      use("Write", { file_path: `${stage.project}/x.sh`, content: "#!/bin/sh\ngit reset --hard\n" }, "write"),
      bash("chmod +x x.sh && ./x.sh", "run"),
      bash("mv x.sh y.sh", "rename"),
      bash("bash y.sh", "again"),
    ]);
    expect(session.told("write")).not.toContain("Sekisho");
    expect(session.told("run")).toContain("The script ./x.sh does this");
    expect(session.told("again")).toContain("[no-destructive-command]");
    expect(stage.read("hello.txt")).toBe("not committed yet\n");
  });
});
