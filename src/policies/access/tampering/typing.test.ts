/** Typing into a terminal: refused where a host runs, allowed where certainly none does, asked about otherwise. */
import type { PaneUse } from "../../../kernel/facts.ts";
import { describePolicy } from "../../describe-policy.ts";
import { bash } from "../../example.ts";
import { noTampering } from "./no-tampering.ts";

const pane = (use: PaneUse, key = "dev") => ({ panes: { [key]: use } });

describePolicy(noTampering, ({ denies, asks, passes }) => {
  for (const command of [
    "tmux send-keys -t dev 'approve x' Enter",
    "tmux send -t dev y C-m",
    "tmux send-k -ldev -t dev 'go on'",
    "tmux set-buffer 'approve x' \\; paste-buffer -t dev",
    "tmux load-buffer f && tmux paste-buffer -p -t dev",
    "tmux ls \\; send-keys -t dev y Enter",
    "bash -c 'tmux send-keys -t dev y Enter'",
    "sleep 5; nohup tmux send-keys -t dev y Enter &",
  ]) {
    denies(`a host: ${command}`, bash(command), pane("host"));
    asks(`unknown: ${command}`, bash(command), pane("unknown"));
    passes(`free: ${command}`, bash(command), pane("free"));
  }

  passes("a pane of another server", bash("tmux -L mine send-keys -t dev x Enter"), pane("free", "-L mine dev"));
  asks("the same name on another server", bash("tmux -L other send-keys -t dev x Enter"), pane("free", "-L mine dev"));
  passes("a word that cancels, for a debugger", bash("tmux send-keys -t dev cancel Enter"), pane("free"));
  denies("a word that cancels, for somebody", bash("tmux send-keys -t dev cancel Enter"), pane("unknown"));

  for (const command of [
    "tmux new-session -d -s dev && tmux send-keys -t dev 'npm run dev' Enter",
    "tmux new -d -s dev; tmux send-keys -t dev:0.0 'npm run dev' Enter",
    'p=$(tmux split-window -d -P -F "#{pane_id}"); tmux send-keys -t "$p" "npm run dev" Enter',
    "tmux new-session -d -s dev 'npm run dev'",
    "tmux capture-pane -p -t dev",
    "tmux kill-session -t dev",
    "tmux send-keys -t dev -X cancel",
    "screen -ls",
    "expect tests/claude.exp",
    "script -qc 'npm test' /dev/null",
    "screen -dmS dev npm run dev",
    "tmux source-file ~/.tmux.conf",
    "kitty @ ls",
    "xdotool getactivewindow",
    "osascript -e 'display notification \"done\"'",
    "echo done > /dev/tty",
    "echo done > /dev/pts/3",
    "cat < /dev/tty",
    "echo AT > /dev/ttyUSB0",
    "python3 -c 'import termios; print(termios.TCSANOW)'",
    "ssh host tmux send-keys -t 0 y Enter",
    "git commit -m 'tmux send-keys -t 0 x'",
    "dtach -n /tmp/s npm run dev",
    "qdbus org.kde.konsole /Sessions/1 title 1",
    'python3 -c \'import pty; pty.spawn(["npm","test"])\'',
    "expect <<< 'spawn npm init; send y'",
    "nvim --headless +q",
    "emacsclient -e '(buffer-list)'",
    "byobu new-session -d",
    "tmux set -g status-right '#(uptime)'",
    "tmux display-message -p '#{pane_pid}'",
    "tmux set -g mouse on",
    "tmux -f /dev/null new -d -s dev",
    "tmux display-popup -E 'npm run dev'",
    "sekisho inbox watch --run 'notify-send x'",
  ])
    passes(command, bash(command));

  for (const command of [
    "tmux send-keys y Enter",
    "screen -X eval 'stuff y\\015'",
    "screen -X readbuf f",
    "screen -S x -X source f",
    "kitten @ action paste y",
    "xte 'str y'",
    "xvkbd -text y",
    "expect -c 'spawn claude --resume; send y'",
    "expect -c 'spawn /usr/bin/claude -c'",
    "script -qc 'claude --continue' /dev/null < f",
    "socat EXEC:'claude -c',pty,setsid,ctty -",
    'tmux send-keys -t "$P" y Enter',
    "tmux send-keys -t dev y Enter",
    "TMUX=/tmp/s,1,0 tmux send-keys -t dev y Enter",
    "unset TMUX; tmux send-keys -t dev y Enter",
    "env -u TMUX tmux send-keys -t dev y Enter",
    "tmux rename-session -t a dev; tmux send-keys -t dev y Enter",
    "tmux setw synchronize-panes on; tmux send-keys -t dev y Enter",
    "tmux if-shell true 'send-keys -t 0 y Enter'",
    "tmux pipe-pane -I -t dev 'echo y'",
    "tmux -C attach <<< 'send-keys -t 0 y Enter'",
    "tmux new -d -s dev claude; sleep 5; tmux send-keys -t dev y Enter",
    "tmux new -d -s dev; tmux send-keys -t dev claude Enter; tmux send-keys -t dev y Enter",
    "tmux source-file keys.conf",
    "script -qc 'tmux attach -t dev' /dev/null <<< y",
    "expect -c 'spawn tmux attach -t dev; send y'",
    "python3 -c 'import os; os.system(\"tmux send-keys -t dev y Enter\")'",
    "python3 -c 'import pyautogui; pyautogui.write(\"y\")'",
    "screen -S x -X stuff 'y\\n'",
    "kitty @ send-text y",
    "kitten @ send-key enter",
    "wezterm cli send-text --pane-id 0 y",
    "zellij action write-chars y",
    "xdotool type y",
    "xdotool key Return",
    "ydotool key 28:1 28:0",
    "wtype y",
    "echo type y | dotool",
    'osascript -e \'tell application "System Events" to keystroke "y"\'',
    'osascript -e \'tell application "Terminal" to do script "y" in window 1\'',
    "printf '\\e]0;x\\a' > /dev/pts/3",
    "cat reply.bin > /dev/tty",
    "cat keys | tee /dev/pts/4",
    "dd if=keys of=/dev/uinput",
    "tmux -S /tmp/tmux-1000/default send-keys -t 0 y Enter",
    "busybox sh -c 'tmux send-keys -t 0 y Enter'",
    "tmux send-keys -t 0 -H 79 0d",
    "tmux run-shell 'tmux send-keys -t 0 y Enter'",
    "tmux run-shell -b -d 5 'tmux send-keys -t 0 y Enter'",
    "tmux new -d \\; run-shell 'tmux send-keys -t 0 y Enter'",
    "tmux -f keys.conf new -d",
    "tmux choose-tree 'send-keys -t %% y'",
    "tmux display-popup -E 'tmux send-keys -t 0 y'",
    "tmux set -g status-right '#(tmux send-keys -t 0 y Enter)'",
    "tmux display-message -p '#(tmux send-keys -t 0 y Enter)'",
    "tmux set-option -g default-command 'tmux send-keys -t 0 y'",
    "tmux copy-mode -t 0 \\; send-keys -X copy-pipe 'tmux send-keys -t 0 y'",
    "sekisho inbox watch --run 'tmux send-keys -t 0 y'",
    'node -e \'require("child_process").execFileSync("tmux",["send","-t","0","y"])\'',
    'python3 -c \'import subprocess; subprocess.run(["tmux","send-"+"keys","-t","0","y"])\'',
    "ttyrec -e claude",
    "tmux set-hook -g alert-bell 'send-keys -t 0 y Enter'",
    "tmux bind-key -n x send-keys -t 0 y",
    "byobu-tmux send-keys -t 0 y Enter",
    "byobu send-keys -t 0 y Enter",
    "tmate send-keys -t 0 y Enter",
    "screen -X paste .",
    "zellij --session main action write 121 13",
    "kitty @ --to unix:/tmp/k send-text y",
    "wezterm cli --prefer-mux send-text y",
    "xdotool search --name x windowactivate --sync key y",
    "kdotool type y",
    "wlrctl keyboard type y",
    "qdbus org.kde.konsole /Sessions/1 sendText y",
    "dbus-send --dest=org.kde.konsole /Sessions/1 org.kde.konsole.Session.sendText string:y",
    'python3 -c \'import pty; pty.spawn(["claude","-c"])\'',
    "python3 -c \"import pexpect; pexpect.spawn('claude --resume').sendline('y')\"",
    "node -e \"require('node-pty').spawn('claude',['-c'])\"",
    "expect <<< 'spawn claude -c; send y'",
    "empty -f claude -c",
    "unbuffer -p claude -c",
    "dtach -p /tmp/sock <<< y",
    "abduco -a work <<< y",
    "ttyecho -n /dev/pts/3 y",
    "nvim --server /tmp/n --remote-send y",
    "emacsclient -e '(term-send-raw-string \"y\")'",
    "it2 session send-text y",
  ])
    asks(command, bash(command), pane("free", "other"));

  for (const command of [
    "python3 -c 'import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b\"y\")'",
    "perl -e 'ioctl(STDIN, 0x5412, $_) for split //, \"y\"'",
    "ruby -e 'STDIN.ioctl(0x5412, \"y\")'",
    "echo y > /proc/$PPID/fd/0",
    "reptyr $PPID",
  ])
    denies(command, bash(command));
});
