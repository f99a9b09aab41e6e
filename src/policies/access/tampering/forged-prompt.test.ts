/**
 * Text that reaches the host as if a person had typed it starts and ends modes, and resets the number of allowed
 * refusals.
 */
import { describePolicy, PROJECT } from "../../describe-policy.ts";
import { bash, edit, using, write } from "../../example.ts";
import { noTampering } from "./no-tampering.ts";

const schedule = `${PROJECT}/.claude/scheduled_tasks.json`;

describePolicy(noTampering, ({ denies, passes }) => {
  denies("keys for a terminal", bash("tmux send-keys -t 0 '/cancel' Enter"));
  denies("keys by our plugin's name", bash("tmux send-keys -t main.0 '/sekisho:cancel' C-m"));
  denies("keys through a buffer", bash("tmux set-buffer /cancel && tmux paste-buffer -t 0"));
  denies("keys for a screen", bash("screen -S work -X stuff '/cancel\\n'"));
  denies("the bare word", bash("tmux send-keys -t 0 cancel Enter"));
  denies("the bare word, and the key behind it", bash("screen -S work -X stuff 'cancel\\n'"));
  denies("the bare word in Japanese", bash("xdotool type 'キャンセルして'"));
  denies("keys for a window", bash("sleep 5; xdotool type '/cancel'"));
  denies("in a shell within", bash("sh -c \"tmux send-keys '/cancel' Enter\""));
  denies("the file of what is sent later", write(schedule, '{"tasks":[{"cron":"* * * * *","prompt":"/cancel"}]}'));
  denies("an edit of it", edit(schedule, "a", "b"));
  denies("a line of it", bash("echo '{}' > .claude/scheduled_tasks.json"));
  denies("a copy in its place", bash("cp /tmp/x.json .claude/scheduled_tasks.json"));
  denies("the user's own", bash("tee ~/.claude/scheduled_tasks.json < /tmp/x.json"));

  denies("a command that is sent later", using({ kind: "control", name: "CronCreate", prompts: "/cancel" }));
  denies(
    "with signs that nobody sees",
    using({ kind: "control", name: "ScheduleWakeup", prompts: " /can\u200bcel now" }),
  );

  denies("the bare word, sent later", using({ kind: "control", name: "CronCreate", prompts: "cancel" }));
  denies("in Japanese, sent later", using({ kind: "control", name: "CronCreate", prompts: "キャンセルして" }));

  passes("other words that are sent later", using({ kind: "control", name: "CronCreate", prompts: "go on with it" }));
  passes(
    "work on it",
    using({ kind: "control", name: "CronCreate", prompts: "cancel buttons: look at all of the open issues" }),
  );
  passes("looking at it", bash("cat .claude/scheduled_tasks.json"));
  passes("removing it", bash("rm .claude/scheduled_tasks.json"));
  passes("a file of that name elsewhere", write(`${PROJECT}/docs/scheduled_tasks.json`, "{}"));
  passes("words about it", bash("echo 'type /cancel to end it'"));
});
