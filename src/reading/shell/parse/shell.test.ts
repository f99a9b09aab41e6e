// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are shell text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newReader, type Reader } from "../walk/scope.ts";
import type { ShellReading } from "./reading.ts";
import { readShell } from "./shell.ts";

const place = { cwd: "/home/dev/project", home: "/home/dev" };
const read = (command: string): ShellReading => readShell(command, place);

/** Counts steps, characters and commands, so that limits can be tested without a clock. */
function isWithinBounds({ steps, parsed, weight, depth, invocations }: Reader): boolean {
  const longest = Math.max(0, ...invocations.flatMap(({ args }) => args.map(({ text }) => text.length)));
  return (
    steps <= 13_000 &&
    parsed <= 6 * 65_536 &&
    weight <= 1_200_000 &&
    depth === 0 &&
    invocations.length <= 2_100 &&
    longest <= 65_537
  );
}

/** Each command as one line of words, with unknown parts marked. */
function commands(command: string): string[] {
  return read(command).invocations.map(({ word, name, args }) =>
    [name ?? `?${word.text}`, ...args.map(({ text, literal }) => (literal ? text : `?${text}`))].join(" "),
  );
}

describe("words", () => {
  it.each([
    ["\\rm 'a b' \"c\"$'\\x64'", "rm a b cd"],
    ["/usr/bin/rm x", "rm x"],
    ["r''m x", "rm x"],
    ["echo ~/a $HOME/b ${HOME}c", "echo /home/dev/a /home/dev/b /home/devc"],
    ["echo '~/a' \\~/b", "echo ~/a ~/b"],
    ["rm${IFS}-rf${IFS}x", "rm -rf x"],
    ["{rm,-rf,x}", "rm -rf x"],
    ["echo a{1..3}", "echo a1 a2 a3"],
    ["echo a$X/b", "echo ?a$X/b"],
  ])("%s", (command, expected) => {
    expect(commands(command)).toEqual([expected]);
  });

  it("keeps the known beginning of a word and marks patterns", () => {
    const [invocation] = read("rm /tmp/$X src/*.ts").invocations;
    expect(invocation?.args[0]).toMatchObject({ literal: false, prefix: "/tmp/" });
    expect(invocation?.args[1]).toMatchObject({ literal: true, glob: true, text: "src/*.ts" });
  });
});

describe("variables", () => {
  it.each([
    ["X=rm; $X -rf a", "rm -rf a"],
    ["export D=/x; rm $D", "rm /x"],
    ["a=r b=m; $a$b x", "rm x"],
    ["x=abc; rm ${x:1:2} ${x^^} ${x/b/-}", "rm bc ABC a-c"],
    ["declare -l T=RM; $T x", "rm x"],
    ['set -- rm x; "$@"', "rm x"],
    ['a=(rm -rf x); "${a[@]}"', "rm -rf x"],
    ["IFS=,; x=rm,y; $x", "rm y"],
    ["read T <<< rm; $T x", "rm x"],
  ])("%s", (command, expected) => {
    expect(commands(command)).toContain(expected);
  });

  it("keeps every value that a branch or a loop may assign", () => {
    expect(commands("T=echo; false || T=rm; $T x")).toEqual(expect.arrayContaining(["echo x", "rm x"]));
    expect(commands("for d in a b; do rm $d; done")).toEqual(["rm a", "rm b"]);
    expect(commands('eval "${x:-rm a}"')).toContain("rm a");
  });

  it("an assignment before a command does not apply to the rest of the line", () => {
    expect(commands("HOME=/tmp/x echo; rm $HOME")).toContain("rm /home/dev");
  });
});

describe("wrappers", () => {
  it.each([
    "sudo -u root -E rm x",
    "env -i -u A B=1 rm x",
    "env -S 'rm x'",
    "nice -n 5 timeout -k 1 10 rm x",
    "nohup setsid stdbuf -oL rm x",
    "command -p rm x",
    "busybox rm x",
    "rtk rm x",
    "flock -w 1 /tmp/l rm x",
    "su -c 'rm x' root",
    "strace -o /tmp/t rm x",
    "watch -n1 rm x",
    "bash -c 'rm x'",
    "sh -lc 'rm x'",
    "bash -c '\"$@\"' _ rm x",
    "bash <<< 'rm x'",
    "bash <<'E'\nrm x\nE",
    "echo 'rm x' | bash",
    "printf '%s\\n' 'rm x' | sh -s",
    "echo cm0geA== | base64 -d | sh",
    "echo 726d2078 | xxd -r -p | sh",
    "echo 'x mr' | rev | sh",
    "eval 'rm x'",
    "source <(echo rm x)",
    "trap 'rm x' EXIT",
    "alias z='rm x'; z",
    'f() { rm "$1"; }; f x',
    "f() { rm x; }",
    "V=$(rm x)",
    "echo `rm x`",
    "[[ -n $(rm x) ]]",
    "echo $((1 + $(rm x)))",
    "cat <<E\n$(rm x)\nE",
    "coproc rm x",
    "echo x | xargs rm",
    "echo x | xargs -I{} rm {}",
    "find x -exec rm {} \\;",
    "parallel rm {} ::: x",
    "git -c alias.z='!rm x' z",
    "ssh host rm x",
    "docker exec -it box rm x",
    "kubectl exec pod -- rm x",
    "echo 'rm x' > /tmp/s; sh /tmp/s",
    "tee >(sh) <<< 'rm x'",
    "V=<(a) rm x",
  ])("%s", (command) => {
    expect(commands(command)).toContain("rm x");
  });

  it("reports the directory of a command", () => {
    const last = (command: string) => read(command).invocations.at(-1);
    expect(last("cd /a && (cd b; ls) && rm x")?.cwd).toBe("/a");
    expect(last("cd $X; rm x")?.cwd).toBeUndefined();
    expect(last("git -C sub status")?.cwd).toBe("/home/dev/project/sub");
    expect(last("sudo env A=1 rm x")?.via).toEqual(["sudo", "env"]);
    expect(last("ssh h rm x")).toMatchObject({ remote: true, cwd: undefined });
    expect(last("docker exec c rm x")).toMatchObject({ contained: true });
  });
});

describe("input of a command", () => {
  it("marks text that would run unread, with its origin", () => {
    for (const command of ["curl u | tee a | bash", "bash <(curl u)", 'eval "$(curl u)"', "curl -o a.sh u; sh a.sh"]) {
      const marked = read(command).invocations.find(({ runsUnread }) => runsUnread);
      expect(
        marked?.runsUnread?.from.map(({ name }) => name),
        command,
      ).toContain("curl");
    }
  });

  it("keeps programs in other languages", () => {
    expect(read("python3 -c 'print(1)'").programs).toMatchObject([
      { language: "python", text: "print(1)", literal: true },
    ]);
    expect(read("perl -we 'print 1'").programs).toMatchObject([{ language: "perl", text: "print 1" }]);
    expect(read("node <<'E'\nlet a\nE").programs).toMatchObject([{ language: "javascript", text: "let a\n" }]);
    expect(read("echo 'puts 1' | ruby").programs).toMatchObject([{ language: "ruby", text: "puts 1\n" }]);
  });

  it("data is not read as commands", () => {
    for (const command of ["echo 'rm x'", "git commit -m 'rm x'", "cat > f <<'E'\nrm x\nE", "ls # rm x"]) {
      expect(commands(command), command).not.toContain("rm x");
    }
  });
});

describe("limits", () => {
  const hostile: Record<string, string> = {
    "2 MB of padding": `echo ${"a".repeat(2_000_000)}; rm -rf /`,
    "600 nested substitutions": `${"$(".repeat(600)}rm${")".repeat(600)}`,
    "5,000 segments": `${"echo a;".repeat(5_000)}rm -rf /`,
    "30 unterminated substitutions": `rm x ${"$(".repeat(30)}`,
    "an operator without an end": "<#",
    "unclosed braces": "{a,".repeat(20_000),
    backticks: "`".repeat(60_000),
    "here-documents": "<<a ".repeat(16_000),
    "doubling evals": `x='echo a'; ${'x="$x;$x"; '.repeat(20)}eval "$x"`,
    "a NUL byte": "rm\0 x",
    "a pattern as a name": "r?m x",
    "wrappers without end": `${"sudo ".repeat(5_000)}rm x`,
  };

  it.each(Object.entries(hostile))("%s is never read as harmless and stays within the limits", (_, command) => {
    const reader = newReader();
    const { unknown } = readShell(command, place, reader);
    expect(unknown).not.toEqual([]);
    expect(isWithinBounds(reader)).toBe(true);
  });

  it("the last command of an endless line is found", () => {
    for (const name of ["2 MB of padding", "5,000 segments"]) {
      expect(commands(hostile[name] ?? ""), name).toContain("rm -rf /");
    }
  });

  it("a fork bomb is detected", () => {
    expect(read(":(){ :|:& };:").replicates).toBe(true);
    expect(read("f(){ f & f; }; f").replicates).toBe(true);
    expect(read("f(){ [ $1 = 0 ] || f 0; }; f 1").replicates).toBe(false);
  });

  it("any text and any mutated shell line gets a reading", () => {
    const pieces = [
      "rm",
      " ",
      "$(",
      ")",
      "`",
      "'",
      '"',
      "{",
      "}",
      ",",
      "|",
      "&",
      ";",
      "<<E",
      "\n",
      "$X",
      "${",
      "-rf",
      "/",
      "bash -c ",
      "eval ",
      "[[",
      "((",
      "<(",
      "=",
      "*",
      "~",
      "\\",
      "for x in ",
      "do ",
      "done",
      "f()",
      "\0",
    ];
    const line = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(""));
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: "binary", maxLength: 80 }), line),
        (command) => {
          const reading = read(command);
          expect(Array.isArray(reading.invocations)).toBe(true);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});

describe("a short line that expands while it is read", () => {
  it.each([
    ["a variable", `x=a;${"x=$x$x;".repeat(1000)}`],
    ["one that is not known", "x=$x$x;".repeat(1000)],
    ["a replacement", `x=aa;${"x=${x//a/aa};".repeat(500)}`],
    ["a default", `x=a;${"y=${z:-$x$x};x=$y;".repeat(400)}`],
    ["an exported one", `export x=a;${"export x=$x$x;".repeat(550)}`],
    ["what a command prints", `x=a;${"x=$(printf %s $x $x);".repeat(350)}`],
    ["positional words", `set -- a b;${'set -- "$@" "$@";'.repeat(450)}`],
    ["a script", `x='echo a';${'x="$x;$x";'.repeat(30)}eval "$x"`],
    ["words for many commands", `x=aaaaaaaa;${"x=$x$x;".repeat(20)}${"rm -rf $x;".repeat(500)}`],
  ])("stays within the limits: %s", (_, command) => {
    expect(command.length).toBeLessThan(8192);
    const reader = newReader();
    readShell(command, { cwd: "/p", home: "/h" }, reader);
    expect(isWithinBounds(reader)).toBe(true);
  });

  it.each([
    ["eval", (x: string) => `eval ${x}`],
    ["sh -c", (x: string) => `sh -c ${x}`],
    ["a here-string", (x: string) => `bash <<< ${x}`],
  ])("a truncated script is not read as a whole: %s", (_, run) => {
    for (const times of [11, 12, 13, 14, 20]) {
      const padded = `x='#aaaaaaa'; ${"x=$x$x;".repeat(times)} ${run(`"$x"$'\\nrm -rf ~'`)}`;
      const { unknown, invocations } = readShell(padded, { cwd: "/p", home: "/h" });
      expect(unknown.length > 0 || invocations.some(({ name, runsUnread }) => name === "rm" || runsUnread)).toBe(true);
    }
  });

  it("a command after it does not count as read", () => {
    const padded = `x=aaaaaaaa;${"x=$x$x;".repeat(20)}${"echo $x;".repeat(100)}sh -c "$y"`;
    expect(readShell(padded, { cwd: "/p", home: "/h" }).unknown).toContain("too many commands");
  });
});
