/** The file tools are held to what a command is held to that writes the same file. */
import { describePolicy, HOME, PROJECT } from "../../describe-policy.ts";
import { bash, edit, using, write } from "../../example.ts";
import { noDestructiveCommand } from "./no-destructive-command.ts";

const notebook = (path: string) => using({ kind: "notebook", name: "NotebookEdit", path, source: "x" });

describePolicy(noDestructiveCommand, ({ denies, asks, passes }) => {
  for (const path of [
    `${HOME}/.ssh/authorized_keys`,
    `${HOME}/.ssh/id_ed25519`,
    `${PROJECT}/.git/HEAD`,
    `${PROJECT}/src/../.git/HEAD`,
    `${PROJECT}/.git/refs/heads/main`,
    "/etc/sudoers.d/x",
    "/etc/cron.d/x",
    "/etc/ld.so.preload",
    "/var/spool/cron/crontabs/dev",
    "/usr/bin/git",
    "/dev/sda",
    "/proc/1/mem",
  ]) {
    denies(`Write ${path}`, write(path, "x"));
    denies(`echo > ${path}`, bash(`echo x > ${path}`));
  }

  for (const path of [
    `${HOME}/.bashrc`,
    `${HOME}/.zshenv`,
    `${HOME}/.bash_aliases`,
    `${HOME}/.ssh/config`,
    `${HOME}/.local/bin/git`,
    `${HOME}/bin/npm`,
    `${HOME}/.config/systemd/user/a.service`,
    `${HOME}/.config/autostart/a.desktop`,
    `${HOME}/.config/fish/conf.d/a.fish`,
    `${HOME}/Library/LaunchAgents/a.plist`,
    "/Library/LaunchDaemons/a.plist",
    `${PROJECT}/.git/config`,
    `${PROJECT}/.git/hooks/pre-commit`,
    `${PROJECT}/.git/modules/a/hooks/post-checkout`,
    "/srv/other/.git/hooks/pre-push",
  ]) {
    asks(`Write ${path}`, write(path, "x"));
    asks(`Edit ${path}`, edit(path));
    asks(`NotebookEdit ${path}`, notebook(path));
    asks(`echo >> ${path}`, bash(`echo x >> ${path}`));
    asks(`sed -i ${path}`, bash(`sed -i s/a/b/ ${path}`));
  }

  asks("Edit authorized_keys", edit(`${HOME}/.ssh/authorized_keys`));
  asks("Edit .git/HEAD", edit(`${PROJECT}/.git/HEAD`));
  asks("Edit /etc/hosts", edit("/etc/hosts"));
  denies("Edit /dev/sda", edit("/dev/sda"));
  asks("a tilde", write("~/.bashrc", "x"));
  asks("a start file in a home that is the project", write(`${HOME}/.zshrc`, "x"), {
    places: { project: HOME, home: HOME } as never,
  });

  const linked = (path: string, real: string) => ({ reached: { [`${path}\u0000`]: real } });
  const link = `${PROJECT}/notes.txt`;
  denies("Write through a link", write(link, "x"), linked(link, `${HOME}/.ssh/authorized_keys`));
  asks("Edit through a link", edit(link), linked(link, `${HOME}/.bashrc`));

  for (const path of [
    `${PROJECT}/src/a.ts`,
    `${PROJECT}/.github/workflows/ci.yml`,
    `${PROJECT}/.gitignore`,
    `${PROJECT}/bin/run`,
    `${PROJECT}/etc/config`,
    `${PROJECT}/.git/hooks/pre-commit.sample`,
    `${HOME}/.claude/plans/a.md`,
    `${HOME}/.claude/projects/a/memory/MEMORY.md`,
    `${HOME}/other/src/a.ts`,
    `${HOME}/.config/app/settings.json`,
    "/tmp/notes.md",
    "/tmp/clone/.git/config",
  ]) {
    passes(`Write ${path}`, write(path, "x"));
    passes(`Edit ${path}`, edit(path));
  }
  passes("creating the directory", bash("mkdir -p ~/.local/bin .git/hooks"));
});
