/** Skipped, removed or disabled checks, and changes that outlast the session. */
import { describePolicy } from "../../describe-policy.ts";
import { bash } from "../../example.ts";
import { noDestructiveCommand } from "./no-destructive-command.ts";

describePolicy(noDestructiveCommand, ({ denies, asks, passes }) => {
  for (const command of ["echo k > ~/.ssh/authorized_keys", "cat a > ~/.ssh/id_ed25519", "rm -rf '~'"])
    denies(command, bash(command));

  for (const command of [
    // Hooks of the project
    "git commit --no-verify -m x",
    "git commit -anm x",
    "git push --no-verify",
    "git -c core.hooksPath= commit -m x",
    "git -c core.hooksPath=/dev/null merge x",
    "HUSKY=0 git commit -m x",
    "pre-commit uninstall",
    "sometool hooks disable",
    // Pushing another branch onto the trunk
    "git push origin HEAD:master",
    "git push origin fix:refs/heads/main",
    "git branch $(cat names)",
    "cat names | xargs -I{} git merge {}",
    // Other agents and guards
    "claude --dangerously-skip-permissions -p x",
    "claude --permission-mode bypassPermissions",
    "codex --sandbox danger-full-access",
    "sh -c 'gemini --yolo'",
    "python3 -c 'import os; os.system(\"codex --full-auto\")'",
    "echo a > ~/.rampart/rules.yaml",
    "tee ~/.sometool/policies/a.yaml",
    "sudo chmod 000 /usr/local/bin/guard",
    "chmod a-x ~/bin/guard",
    // Many machines
    "ansible-playbook -i inventories/production site.yml",
    "ansible db -m file -a 'path=/srv/x state=absent'",
    "ansible all -m shell -a 'rm -rf /tmp/x'",
    // Changes that outlast the session
    "echo 'alias a=b' >> ~/.zshrc",
    "cat k.pub >> ~/.ssh/authorized_keys",
    "printf x | tee -a ~/.profile",
    // Unknown directory
    'env -C "$D" rm -rf out',
    'sudo --chdir="$D" rm -rf out',
    // A quoted tilde is not the home
    "rm '~/Documents/a.txt'",
  ])
    asks(command, bash(command));

  for (const command of [
    "git push",
    "git push origin main",
    "git push origin main:main",
    "git push origin HEAD:fix/login",
    "git push -n origin HEAD:main",
    "git commit -m 'use --no-verify never'",
    "git merge -n x",
    "git config core.hooksPath .husky",
    "HUSKY=1 git commit -m x",
    'git branch "fix-$(date +%F)"',
    "pre-commit run --all-files",
    "pre-commit uninstall --help",
    "grep -r hook uninstall.md",
    "claude -p 'fix the tests'",
    "ansible-playbook -i production site.yml --check",
    "ansible-playbook -i production --limit web1 site.yml",
    "ansible all -m ping",
    "chmod 755 ~/bin/tool",
    "chmod +x scripts/run",
    "cat ~/.bashrc",
    'cd "$D" && rm -rf out',
    "rm '~/x'",
  ])
    passes(command, bash(command));

  for (const command of [
    "cp a.service ~/.config/systemd/user/",
    "(crontab -l; echo '@daily run') | crontab -",
    "usermod -aG docker me",
    "git config --global core.hooksPath /dev/null",
  ])
    asks(command, bash(command));

  for (const command of ["crontab -l", "usermod -s /bin/zsh me"]) passes(command, bash(command));

  for (const command of ["codex -s danger-full-access", "codex -a never x"]) asks(command, bash(command));
});
