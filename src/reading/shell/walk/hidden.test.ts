// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are shell text.
/** Commands in unusual places: options, variables, file descriptors, arrays, other languages. */
import { describe, expect, it } from "vitest";
import { readShell } from "../parse/shell.ts";

const place = { cwd: "/home/dev/project", home: "/home/dev" };

function commands(command: string): string[] {
  return readShell(command, place).invocations.map(({ name, word, args }) =>
    [name ?? `?${word.text}`, ...args.map(({ text }) => text)].join(" "),
  );
}

const HIDDEN: Record<string, readonly string[]> = {
  "in an option": [
    "tar cf a.tar . --checkpoint=1 --checkpoint-action=exec='rm x'",
    "tar xf a.tar --to-command='rm x'",
    "tar -I 'rm x' -xf a.tar",
    "rsync -e 'rm x' a b:",
    "rsync -avze 'rm x' a b:",
    "ssh -o ProxyCommand='rm x' host",
    "scp -oProxyCommand='rm x' a b:",
    "sort --compress-program='rm x' a",
    "man -P 'rm x' ls",
    "less '+!rm x' a",
    "zip -TT 'rm x' -T a.zip b",
    "split --filter='rm x' a",
    "npm --script-shell='rm x' run a",
    "gdb -batch -ex '!rm x'",
    "vim -es -c ':!rm x' -c 'q!'",
    "vim +'!rm x' a",
    "nvim --headless -c 'call system(\"rm x\")'",
    "emacs --batch --eval '(shell-command \"rm x\")'",
    "nc -l 1 -e 'rm x'",
    "socat - EXEC:'rm x'",
    "nix-shell --run 'rm x'",
    "psql -c '\\! rm x'",
    "sqlite3 a.db '.shell rm x'",
    "apt-get -o APT::Update::Pre-Invoke::='rm x' update",
    "script -qc 'rm x' /dev/null",
    "bash --rcfile <(echo rm x) -i",
  ],
  "in git": [
    "git -c core.sshCommand='rm x' fetch",
    "git clone -c core.fsmonitor='rm x' a",
    "git clone -u 'rm x' a b",
    "git push --receive-pack='rm x' a",
    "git grep -O'rm x' a",
    "git difftool --extcmd='rm x'",
    "git fetch ext::'rm x'",
    "git rebase -x 'rm x' HEAD~1",
    "git -c gpg.program='rm x' commit -S",
    "GIT_CONFIG_PARAMETERS=\"'core.pager'='rm x'\" git log",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x' git log",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.a GIT_CONFIG_VALUE_0='!rm x' git a",
  ],
  "in a variable": [
    "GIT_SSH_COMMAND='rm x' git fetch",
    "export GIT_PAGER='rm x'",
    "env PAGER='rm x' man ls",
    "sudo EDITOR='rm x' crontab -e",
    "LESSOPEN='|rm x' less a",
    "PROMPT_COMMAND='rm x' bash -i",
    "PS4='$(rm x)' bash -xc true",
    "TAR_OPTIONS='--to-command=\"rm x\"' tar xf a.tar",
    "BASH_ENV=/tmp/a bash -c true; true | rm x",
  ],
  "in a makefile or a sed script": [
    "make --eval='a:;rm x' a",
    "make SHELL='rm x'",
    "printf 'a:\\n\\t@rm x\\n' | make -f -",
    "printf 'a:\\n\\trm x\\n' > Makefile; make",
    "sed '1e rm x' a",
    "sed -n '/a/,$ { s/b/c/; e rm x\n}' a",
  ],
  "behind an open number": [
    "exec 3<<<'rm x'; sh <&3",
    "exec 3<<<'rm x'; sh /dev/fd/3",
    "exec 3<<<'rm x'; read -u 3 c; $c",
    "exec {f}<<<'rm x'; . /dev/fd/$f",
    "exec 3> >(sh); echo 'rm x' >&3",
    "exec < <(echo rm x); sh",
    "sudo -s <<< 'rm x'",
    "echo rm x | su root",
    "ssh host <<'E'\nrm x\nE",
  ],
  "in an array or another variable": [
    'a[0]=rm; a[1]=x; "${a[@]}"',
    'a=(); a+=(rm); a+=(x); "${a[@]}"',
    "declare -A m=([k]='rm x'); ${m[k]}",
    "declare -n r=y; y='rm x'; $r",
    "c=r; c+=m; $c x",
    "printf -v c '%s x' rm; $c",
    'read -ra c <<< "rm x"; "${c[@]}"',
    "mapfile -t a <<< 'rm x'; ${a[0]}",
    "read a b <<< 'rm x'; $a $b",
    "c='rm x'; ${c@P}",
    'a=(y rm x); "${a[@]:1}"',
    "BASH_ALIASES[y]='rm x'; y",
    "if true; then IFS=,; c=rm,x; $c; fi",
    "IFS=_ eval 'c=rm_x; $c'",
    "a[$(rm x)]=1",
    "echo ${a[$(rm x)]}",
    "test -v 'a[$(rm x)]'",
    "let 'a[$(rm x)]=1'",
  ],
  "in what a filter prints": [
    "$(which rm) x",
    "$(command -v rm) x",
    "$(echo arm | cut -c2-) x",
    "$(echo a:rm | cut -d: -f2) x",
    "echo 'rm Y' | sed 's/Y/x/' | sh",
    "echo 'a rm' | awk '{print $2}' | xargs -I{} {} x",
    "python3 -c 'print(\"rm x\")' | sh",
    'awk \'BEGIN { print "rm x" | "sh" }\'',
    "awk 'BEGIN { \"rm x\" | getline }'",
    'awk \'BEGIN { system("rm" " x") }\'',
    "awk 'BEGIN { c = \"rm x\"; system(c) }'",
    "echo rm x | dd of=/tmp/a; sh /tmp/a",
  ],
  "under another name": [
    "cp /bin/rm ./a; ./a x",
    "ln -s /usr/bin/rm a && ./a x",
    "hash -p /bin/rm ls; ls x",
    '"$D"/rm x',
    "/bin/r? x",
    "/???/[r]m x",
  ],
  "behind more wrappers": [
    "pkexec rm x",
    "gosu root rm x",
    "perf stat -e cycles rm x",
    "ip netns exec a rm x",
    "nix develop -c rm x",
    "conda run -n a rm x",
    "fd . x -X rm",
    "env -S'bash -c \"rm x\"'",
    "/usr/bin/env -S bash -c 'rm x'",
    "parallel 'rm {}' ::: x",
    "echo '* * * * * rm x' | crontab -",
  ],
};

for (const [where, lines] of Object.entries(HIDDEN)) {
  describe(`TR-59: a command ${where}`, () => {
    it.each(lines)("%s", (line) => {
      expect(commands(line)).toContain("rm x");
    });
  });
}

describe("words that another command fills in", () => {
  it("are unknown, even inside a script", () => {
    const [removal] = readShell("xargs -I{} sh -c 'rm -rf a/{}'", place).invocations.filter(
      ({ name }) => name === "rm",
    );
    expect(removal?.args[1]).toMatchObject({ literal: false, prefix: "a/" });
  });

  it("paths listed by find are below its root", () => {
    const { invocations } = readShell("find /var/x -name '*.log' | while read f; do rm \"$f\"; done", place);
    expect(invocations.find(({ name }) => name === "rm")?.args[0]?.prefix).toBe("/var/x/");
  });
});

describe("text that is not a hidden command", () => {
  it.each([
    "tar -czf a.tgz src",
    "sed -i 's/rm x/rm y/w' a",
    "sed 's/e/rm x/' a",
    "sed -e '/rm x/d' a",
    "vim -c 'set number' a",
    "git log --grep 'rm x'",
    "make rm x",
    "awk '{ print \"rm x\" }' a",
    'awk \'$1 == "|" { print "rm x" }\' a',
    "EDITOR=vim git commit -m 'rm x'",
    "echo a | sed 's/a/rm x/'",
  ])("%s", (line) => {
    expect(commands(line)).not.toContain("rm x");
  });
});
