/** Queue files of multi-agent-shogun: live both ways, imported, and written again. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { mask } from "../../src/lib/secrets.ts";
import { forPeople } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

/** Files of other people, beside the project and no part of it. */
const ARTEFACTS = join(import.meta.dirname, "../../../shared/artefacts");

function army(): Stage {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", "profile: army\n");
  for (const name of ["karo-roju", "ashigaru1"])
    stage.send("SessionStart", { session_id: name, source: "startup" }, { env: { SEKISHO_AGENT: name } });
  return stage;
}

const stop = ({ send }: Stage, session_id: string): string => {
  const { stdout } = send("Stop", { session_id });
  return stdout === "" ? "" : String((JSON.parse(stdout) as { reason?: string }).reason ?? "");
};

const REPORT = `reports:
- subtask_id: subtask_1
  worker: ashigaru2
  status: done
  summary: "the tests pass"
  read: false
`;

describe.skipIf(forPeople.skip)(`the queue${forPeople.why}`, () => {
  it("T-008 a report that another tool wrote keeps the steward's turn open, until the file says that it is read", () => {
    const stage = army();
    stage.write("queue/inbox/roju_reports.yaml", REPORT);
    expect(stop(stage, "karo-roju")).toContain("- ashigaru2: the tests pass");
    stage.write("queue/inbox/roju_reports.yaml", REPORT.replace("read: false", "read: true"));
    expect(stop(stage, "karo-roju")).toBe("");
  });

  it("T-009 a task that is assigned in the file keeps its worker's turn open, until its status changes", () => {
    const stage = army();
    const tasks = (status: string) =>
      `tasks:\n- subtask_id: s1\n  assigned_by: roju\n  status: ${status}\n  description: |\n    rename it\n    status: assigned\n`;
    stage.write("queue/inbox/ashigaru1.yaml", tasks("assigned"));
    expect(stop(stage, "ashigaru1")).toContain("- roju: rename it");
    stage.write("queue/inbox/ashigaru1.yaml", tasks("in_progress"));
    expect(stop(stage, "ashigaru1")).toBe("");
  });

  it("IN-13 IN-24 words of completion stand in the steward's file too, once, and count once", () => {
    const stage = army();
    const end = () => stage.send("Stop", { session_id: "ashigaru1", last_assistant_message: "任務完了でござる。" });
    end();
    end();
    const { reports } = load(stage.read("queue/inbox/roju_reports.yaml") ?? "") as {
      reports: Record<string, unknown>[];
    };
    expect(reports).toMatchObject([
      { subtask_id: "stophook_notification", worker: "ashigaru1", status: "notification", type: "report_completed" },
    ]);
    expect(stop(stage, "karo-roju")).toContain("1 unread message for karo-roju");
  });

  it("EH-18 a report that can't be written into the file is in the inbox all the same, and the failure is recorded", () => {
    const stage = army();
    stage.write("queue/inbox", "no directory");
    const { code } = stage.send("Stop", { session_id: "ashigaru1", last_assistant_message: "任務完了でござる。" });
    expect(code).toBe(0);
    expect(stage.sekisho("inbox", "list", "--for", "karo-roju").stdout).toContain("says that it has finished");
    expect(stage.audit().filter(({ kind }) => kind === "error")).toHaveLength(1);
  });

  it("IN-29 what was escalated stands in the supervisor's file", () => {
    const stage = army();
    stage.write(
      "queue/inbox/ashigaru1.yaml",
      'messages:\n- {id: m1, from: roju, type: note, content: "look", read: false}\n',
    );
    for (let n = 0; n < 4; n++) {
      stage.use("Read", { file_path: join(stage.project, `${n}`) }, { session_id: "ashigaru1" });
      stop(stage, "ashigaru1");
    }
    const { reports } = load(stage.read("queue/inbox/roju_reports.yaml") ?? "") as {
      reports: Record<string, unknown>[];
    };
    expect(reports).toMatchObject([{ worker: "ashigaru1", type: "escalation", read: false }]);
    expect(stop(stage, "karo-roju")).toContain("1 unread message for karo-roju");
  });

  it("T-010 IN-29 an entry that is ignored is delivered three times, and then the supervisor is told", () => {
    const stage = army();
    stage.write("queue/inbox/roju_reports.yaml", REPORT);
    const reasons = Array.from({ length: 5 }, (_, n) => {
      stage.use("Read", { file_path: join(stage.project, `${n}`) }, { session_id: "karo-roju" });
      return stop(stage, "karo-roju");
    });
    expect(reasons.map((reason) => reason !== "")).toEqual([true, true, true, false, false]);
    expect(stage.sekisho("inbox", "list", "--for", "shogun", "--json").stdout).toContain("has not read 1 message");
  });

  it("E2E-001 IN-40 what we send is in the file, and stays there whole", () => {
    const stage = army();
    stage.write("queue/inbox/roju_reports.yaml", REPORT);
    expect(
      stage.sekisho(
        "inbox",
        "write",
        "roju_reports",
        "it's \"done\": '''x''' $(y)\nline 2",
        "report_completed",
        "ashigaru1",
      ).code,
    ).toBe(0);
    const { reports } = load(stage.read("queue/inbox/roju_reports.yaml") ?? "") as { reports: object[] };
    expect(reports).toMatchObject([
      { summary: "the tests pass" },
      { worker: "ashigaru1", summary: "it's \"done\": '''x''' $(y)", read: false },
    ]);
    expect(readdirSync(join(stage.project, "queue/inbox"))).toEqual(["roju_reports.yaml"]);
    expect(stop(stage, "karo-roju")).toContain("2 unread messages");
  });

  it("IN-26 a file that is no YAML is told to the person and holds nobody", () => {
    const stage = army();
    stage.write("queue/inbox/roju_reports.yaml", "reports: [ {{{");
    const { stdout } = stage.send("Stop", { session_id: "karo-roju" });
    expect(stdout).toContain("roju_reports.yaml can't be read as YAML");
    expect(stdout).not.toContain('"decision"');
  });

  it("an import counts once, keeps statuses that we don't know, and is written again with what changed", () => {
    const stage = army();
    stage.write(
      "q/ashigaru3.yaml",
      "tasks:\n- {subtask_id: s9, status: kenshu_review, description: x, wave: 1}\n- {subtask_id: s8, status: assigned, description: y}\n",
    );
    const added = () =>
      (JSON.parse(stage.sekisho("inbox", "import", "q/ashigaru3.yaml", "--json").stdout) as { added: number }[])[0]
        ?.added;
    expect([added(), added()]).toEqual([2, 0]);
    expect(JSON.parse(stage.sekisho("inbox", "list", "--for", "ashigaru3", "--json").stdout)).toHaveLength(2);
    const listed = JSON.parse(stage.sekisho("task", "list", "--json").stdout) as { id: string }[];
    const tasks = listed.sort((a, b) => (a.id > b.id ? -1 : 1));
    expect(tasks).toMatchObject([
      { id: "s9", status: "kenshu_review" },
      { id: "s8", status: "assigned" },
    ]);
    expect(load(stage.sekisho("inbox", "export", "ashigaru3.yaml").stdout)).toEqual(
      load(stage.read("q/ashigaru3.yaml") ?? ""),
    );
    expect(stage.sekisho("task", "done", "s8").code).toBe(0);
    expect(stage.sekisho("inbox", "export", "q/ashigaru3.yaml").stdout).toContain("status: done");
  });

  it("files with several documents, without any, with anchors, comments, CRLF and keys that stand twice are imported and written again", () => {
    const stage = army();
    const files = {
      "many.yaml": "tasks:\n- {subtask_id: s1, status: done}\n---\nworker: ashigaru1\n---\nreports: []\n",
      "empty.yaml": "# nothing yet\n",
      "anchors.yaml": "base: &b {project: p, wave: 1}\r\nreports:\r\n- {<<: *b, summary: x, read: true}\r\n# end\r\n",
      "twice.yaml": "\ufeffreports: []\nreports:\n- {worker: a, status: strange_one, summary: y}\n",
    };
    for (const [name, text] of Object.entries(files)) stage.write(`q/${name}`, text);
    const { stderr } = stage.sekisho("inbox", "import", ...Object.keys(files).map((name) => `q/${name}`));
    expect(stderr).toBe("");
    for (const [name, text] of Object.entries(files)) {
      const written = loadAll(stage.sekisho("inbox", "export", name).stdout);
      const read = name === "empty.yaml" ? [{}] : loadAll(text, { json: true });
      expect({ name, written }).toEqual({ name, written: read });
    }
    stage.write("queue/inbox/roju_reports.yaml", "");
    expect(stage.send("Stop", { session_id: "karo-roju" }).stdout).toBe("");
  });

  it("says what is wrong with a file that can't be imported or exported", () => {
    const stage = army();
    stage.write("q/words.yaml", "only words");
    expect(stage.sekisho("inbox", "export").stdout).toBe("No queue file was imported here.\n");
    expect(stage.sekisho("inbox", "import", "q/none.yaml").stderr).toContain("There is no file q/none.yaml.");
    expect(stage.sekisho("inbox", "import", "q/words.yaml").stderr).toContain("no map at its top");
    expect(stage.sekisho("inbox", "export", "q/words.yaml").stderr).toContain("words.yaml was not imported here");
  });
});

describe.skipIf(forPeople.skip || !existsSync(ARTEFACTS))("files of the wild", () => {
  const files = existsSync(ARTEFACTS)
    ? ["shogun-inbox", "shogun-reports"].flatMap((name) =>
        readdirSync(join(ARTEFACTS, name)).map((file) => join(ARTEFACTS, name, file)),
      )
    : [];

  const loaded = (file: string) => load(readFileSync(file, "utf8"), { json: true });

  it("IN-10 IN-11 IN-12 IN-16 every one is imported once and exported without loss", { timeout: 300_000 }, () => {
    const stage = army();
    const imported = stage.sekisho("inbox", "import", ...files, "--json");
    expect(imported.stderr).toBe("");
    const again = JSON.parse(stage.sekisho("inbox", "import", ...files, "--json").stdout) as { added: number }[];
    expect(again.reduce((sum, { added }) => sum + added, 0)).toBe(0);
    const differing = files.filter((file) => {
      const written = load(stage.sekisho("inbox", "export", basename(file)).stdout);
      // Secrets are masked like in every record. Everything else is as it was.
      return JSON.stringify(written) !== JSON.stringify(mask(loaded(file)));
    });
    expect(files.length).toBeGreaterThan(0);
    expect(differing.map((file) => basename(file))).toEqual([]);
    // An address with a password, and an assignment.
    const masked = files.filter((file) => JSON.stringify(mask(loaded(file))) !== JSON.stringify(loaded(file)));
    expect(masked.length).toBeLessThanOrEqual(2);
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });
});
