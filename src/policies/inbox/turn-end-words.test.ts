import { describe, expect, it } from "vitest";
import { turnEndIn } from "./turn-end-words.ts";

describe("the end of a turn", () => {
  it.each([
    "任務完了でござる。",
    "作業は完了でござる",
    "報告YAMLを更新いたした。",
    "報告YAMLに結果を記入しました。",
    "The report file was updated.",
    "Task completed.",
    "TASK COMPLETED: all 12 files were renamed.",
    "タスク完了。次の指示を待つ。",
    "roju_reports.yaml を更新した。",
    "All tests pass. The task is completed.",
  ])("IN-22 is completion: %s", (message) => {
    expect(turnEndIn(message)).toBe("report_completed");
  });

  it.each([
    "エラーが発生したため中断する。",
    "ビルドに失敗し、作業を中断した。",
    "ファイルが見つからないため中断いたす。",
    "Error: the file is missing, aborting.",
    "I could not reach the registry, so I aborted.",
    "The build failed, so I stopped.",
    "Task aborted.",
    "Aborting.",
    "I aborted the task: the disk is full.",
  ])("IN-23 is an error: %s", (message) => {
    expect(turnEndIn(message)).toBe("error_report");
  });

  it.each([
    "I aborted the plan to use Redis and used a file instead.",
    "The abort signal is passed to fetch.",
    "`git merge --abort` restores the tree.",
    "I added an AbortController to the request.",
    "Is the task completed?",
    'The task is not finished; I will say "task completed" when it is.',
    "When the task completed event fires, the list reloads.",
    "タスク完了していない。",
    "終わったらタスク完了と報告する予定。",
    "I wrote `task completed` into the template.",
    "> Task completed.\nThat is what the log says.",
    "The error handler no longer stops the server.",
    "I did not abort the run.",
    "エラーは出ませんでした。",
    "",
    "I renamed three files.",
  ])("is neither: %s", (message) => {
    expect(turnEndIn(message)).toBeUndefined();
  });

  it("takes no longer for a long message", () => {
    expect(turnEndIn(`${"a ".repeat(500_000)}\nTask completed.`)).toBe("report_completed");
    expect(turnEndIn(`${"report ".repeat(100_000)}`)).toBeUndefined();
  });
});
