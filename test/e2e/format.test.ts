/** Formatting after an edit, on both lanes of the built program, and what the agent is told about it. */
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHouse } from "./house.ts";
import { openStage, type Stage } from "./stage.ts";

interface Lane {
  readonly stage: Stage;
  send(event: "PreToolUse" | "PostToolUse" | "PostToolBatch", fields: object): Promise<string>;
}

/** Set-up before the session begins. */
type Prepare = (stage: Stage) => void;

const LANES: readonly (readonly [string, (prepare?: Prepare) => Lane])[] = [
  [
    "plain",
    (prepare) => {
      const stage = openStage();
      prepare?.(stage);
      stage.send("SessionStart", { source: "startup" });
      return { stage, send: async (event, fields) => stage.send(event, fields).stdout };
    },
  ],
  [
    "fast",
    (prepare) => {
      const stage = openStage();
      prepare?.(stage);
      const house = openHouse(stage);
      return { stage: house.stage, send: async (event, fields) => (await house.post(event, fields)).text };
    },
  ],
];

const ON = "format: { enabled: true }\n";
const LOCAL = ".sekisho/config.local.yaml";

/** A fake prettier: collapses runs of spaces. */
const TIDY = `#!/bin/sh\nfor file; do :; done\nsed -i 's/  */ /g' "$file"\n`;

function withPrettier(stage: Stage, script = TIDY): void {
  stage.write("package.json", '{"devDependencies":{"prettier":"3"}}');
  stage.write("node_modules/.bin/prettier", script);
  chmodSync(join(stage.project, "node_modules/.bin/prettier"), 0o755);
}

function editing(stage: Stage, name: string, id = "t1"): object {
  const file_path = join(stage.project, name);
  return { tool_name: "Edit", tool_use_id: id, tool_input: { file_path, old_string: "a", new_string: "b" } };
}

/** A complete edit through both hooks; returns the answer of PostToolUse. */
async function edited({ stage, send }: Lane, name: string, content: string, id = "t1"): Promise<string> {
  await send("PreToolUse", editing(stage, name, id));
  stage.write(name, content);
  return await send("PostToolUse", { ...editing(stage, name, id), tool_response: { filePath: name } });
}

describe.each(LANES)("on the %s lane", (_, open) => {
  it("MD-82 an edited file is reformatted, and a later edit that misses is told why", async () => {
    const lane = open(withPrettier);
    const { stage } = lane;
    stage.write(LOCAL, ON);
    const name = `src/it's "a" b.ts`;
    expect(await edited(lane, name, "let  x   = 1;\n")).toContain("was reformatted by prettier after this edit");
    expect(stage.read(name)).toBe("let x = 1;\n");
    const told = await lane.send("PostToolBatch", {
      tool_calls: [
        {
          ...editing(stage, name, "t2"),
          tool_response: "<tool_use_error>String to replace not found in file.\nString: let  x</tool_use_error>",
        },
      ],
    });
    expect(told).toContain("Read it again, then edit");
    expect(told).toContain("It was reformatted by prettier after an edit.");
    const [line] = stage.audit().filter(({ event }) => event === "format");
    expect(line).toMatchObject({ kind: "action", reason: `prettier reformatted ${join(stage.project, name)}` });
  });

  it("MD-82 nothing runs unless a person enabled it, and the project's shared file cannot", async () => {
    const lane = open(withPrettier);
    expect(await edited(lane, "a.ts", "let  x\n")).not.toContain("reformatted");
    lane.stage.write(".sekisho/config.yaml", ON);
    expect(await edited(lane, "a.ts", "let  x\n", "t2")).not.toContain("reformatted");
    expect(lane.stage.read("a.ts")).toBe("let  x\n");
    expect(lane.stage.sekisho("status").stdout).toContain("format.enabled says what runs on your machine");
  });

  it("TS-38 without a formatter, or when it fails, the edit stands and nothing is said", async () => {
    const lane = open((stage) => withPrettier(stage, "#!/bin/sh\nexit 2\n"));
    const { stage } = lane;
    stage.write(LOCAL, ON);
    expect(await edited(lane, "a.py", "let  x\n")).not.toContain("reformatted");
    expect(await edited(lane, "a.ts", "let  x\n", "t2")).not.toContain("prettier");
    expect(stage.read("a.ts")).toBe("let  x\n");
    expect(stage.audit().flatMap(({ event, reason }) => (event === "format" ? [reason] : []))).toEqual([
      `prettier failed on ${join(stage.project, "a.ts")}: it ended with exit code 2`,
    ]);
  });

  it("MD-82 a person's own command runs; files outside the project or behind a link are left alone", async () => {
    const lane = open((stage) => {
      stage.write("tools/tidy", TIDY);
      chmodSync(join(stage.project, "tools/tidy"), 0o755);
    });
    const { stage } = lane;
    stage.write(LOCAL, 'format: { enabled: true, commands: ["txt,conf=tools/tidy {file}"] }\n');
    expect(await edited(lane, "a.conf", "x  y\n")).toContain("reformatted by tidy");
    mkdirSync(join(stage.home, "other"));
    symlinkSync(join(stage.home, "other"), join(stage.project, "linked"));
    for (const name of ["../home/other/b.txt", "linked/c.txt"]) {
      expect(await edited(lane, name, "x  y\n", name)).not.toContain("reformatted");
      expect(stage.read(name)).toBe("x  y\n");
    }
  });

  it("a formatter or settings file written in this session is not run", async () => {
    const lane = open((stage) => withPrettier(stage));
    const { stage } = lane;
    stage.write(LOCAL, ON);
    const reasons = () => stage.audit().flatMap(({ event, reason }) => (event === "format" ? [reason] : []));
    await edited(lane, "src/prettier.config.mjs", "throw  0;\n");
    expect(await edited(lane, "src/a.ts", "let  x\n", "t2")).not.toContain("reformatted");
    expect(stage.read("src/a.ts")).toBe("let  x\n");
    expect(reasons().at(-1)).toContain("src/prettier.config.mjs was changed in this session, so it is not run");
    expect(await edited(lane, "b.ts", "let  x\n", "t3")).toContain("reformatted");
    withPrettier(stage, "#!/bin/sh\ntouch was-run\n");
    expect(await edited(lane, "b.ts", "let  x\n", "t4")).not.toContain("reformatted");
    expect(reasons().at(-1)).toContain("node_modules/.bin/prettier was changed in this session");
    expect(stage.read("was-run")).toBeUndefined();
  });

  it("MD-83 the tool calls of a session are counted", async () => {
    const lane = open();
    await edited(lane, "a.ts", "x\n");
    const read = { tool_name: "Read", tool_input: { file_path: "/a" } };
    for (const id of ["r1", "r2"]) await lane.send("PreToolUse", { ...read, tool_use_id: id });
    const { sessions } = JSON.parse(lane.stage.sekisho("status", "--json").stdout);
    expect(sessions[0].tools).toEqual({ total: 3, last: "Read", counts: { Edit: 1, Read: 2 } });
    expect(lane.stage.sekisho("status").stdout).toContain("3 used (2 Read, 1 Edit), last Read");
  });
});

it("the project's real formatter runs where it has one", async () => {
  const stage = openStage();
  symlinkSync(join(import.meta.dirname, "..", "..", "node_modules"), join(stage.project, "node_modules"));
  stage.write("biome.json", "{}");
  stage.write(LOCAL, ON);
  stage.send("SessionStart", { source: "startup" });
  const lane: Lane = { stage, send: async (event, fields) => stage.send(event, fields).stdout };
  expect(await edited(lane, `src/a "b".ts`, "const  a=[ 1,2 ]\n")).toContain("reformatted by biome");
  expect(stage.read(`src/a "b".ts`)).toBe("const a = [1, 2];\n");
});

it("MD-82 while a formatter hangs the daemon answers other requests", async () => {
  const stage = openStage();
  withPrettier(stage, "#!/bin/sh\nexec sleep 600\n");
  stage.write(LOCAL, ON);
  const house = openHouse(stage);
  stage.write("a.ts", "let  x\n");
  const done = { ...editing(stage, "a.ts"), tool_response: {} };
  let isOver = false;
  const hanging = house.post("PostToolUse", done).then((said) => {
    isOver = true;
    return said;
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const { status } = await house.bash("ls", {}, { agent });
  expect({ status, isOver }).toEqual({ status: 200, isOver: false });
  expect((await hanging).status).toBe(200);
  const [line] = stage.audit().filter(({ event }) => event === "format");
  expect(line?.reason).toContain("it took too long");
  expect(stage.read("a.ts")).toBe("let  x\n");
});
