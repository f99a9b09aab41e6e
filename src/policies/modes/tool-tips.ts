/** A short tip for a kind of tool, after the line about modes. */

import { own } from "../../lib/keyed.ts";
import { clip, type Text, text } from "../../lib/text.ts";
import type { Tool } from "../../reading/tool.ts";

/** The limit for the line and its tip together. */
const CHARS_MAX = 300;

export function withTip(line: string, { name }: Tool): Text {
  const tip = own(TIPS, name);
  return tip ? text(clip(`${line} ${tip.en}`, CHARS_MAX), clip(`${line} ${tip.ja}`, CHARS_MAX)) : text(line, line);
}

const RUN = text(
  "Run commands that do not need one another side by side, and lint before test.",
  "互いに依存しないコマンドは並行して実行し、lint はテストより先に行ってください。",
);
const DELEGATE = text(
  "Start several helpers at once where the parts are independent, in the background where you need not wait.",
  "独立した作業は複数の補助エージェントに同時に任せ、待つ必要がなければ背景で動かしてください。",
);
const CHANGE = text(
  "After the change, run the project's lint and tests before you call it done.",
  "変更したら、完了と言う前にプロジェクトの lint とテストを実行してください。",
);
const READ = text(
  "Read several files at once, and only what the next step needs.",
  "複数のファイルをまとめて読み、次の一歩に必要なものだけにしてください。",
);
const SEARCH = text("Send independent searches side by side.", "互いに依存しない検索は並行して行ってください。");
const TASKS = text(
  "Keep each task's status true: in progress when you begin, completed only when it is shown.",
  "タスクの状態を実際に合わせてください。着手したら進行中、示せてから完了です。",
);

const TIPS: Readonly<Record<string, Text>> = {
  Bash: RUN,
  Task: DELEGATE,
  Agent: DELEGATE,
  Edit: CHANGE,
  MultiEdit: CHANGE,
  Write: CHANGE,
  NotebookEdit: CHANGE,
  Read: READ,
  Grep: SEARCH,
  Glob: SEARCH,
  TaskCreate: TASKS,
  TaskUpdate: TASKS,
};
