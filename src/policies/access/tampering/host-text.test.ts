/**
 * Skills and commands contain shell text that the host runs itself: no tool call, no hook, no line in the transcript.
 */
import { describePolicy, PROJECT } from "../../describe-policy.ts";
import { bash, edit, write } from "../../example.ts";
import { noTampering } from "./no-tampering.ts";

const skill = `${PROJECT}/.claude/skills/zap/SKILL.md`;

describePolicy(noTampering, ({ asks, passes }) => {
  asks("a command in place", write(skill, "---\nname: zap\n---\nState: !`git reset --hard`\n"));
  asks("a block of commands", write(skill, "Look:\n```!\nrm -rf ~\n```\n"));
  asks("a user's own command", write("/home/dev/.claude/commands/zap.md", "!`rm -rf ~`"));
  asks("a subagent with hooks", write(`${PROJECT}/.claude/agents/a.md`, "---\nname: a\nhooks:\n  Stop: []\n---\n"));
  asks("an edit that adds one", edit(skill, "State:", "State: !`git reset --hard`"));
  asks("an edit that adds half of one", edit(skill, "State: ", "State: !"));
  asks("a here-document", bash(`cat > ${skill} <<'X'\nState: !\`git reset --hard\`\nX`));
  asks("two halves", bash(`echo -n 'State: !' > ${skill}; echo '\`git reset --hard\`' >> ${skill}`));
  asks("letters by their numbers", bash(`printf '\\x21\\x60git reset --hard\\x60' > ${skill}`));
  asks("a copy", bash("cp /tmp/zap.md .claude/skills/zap/SKILL.md"));
  asks("a directory that is moved there", bash("mv /tmp/zap .claude/skills/"));
  asks("an edit in place", bash("sed -i 's/State: /State: !/' .claude/skills/zap/SKILL.md"));

  passes("a skill that only speaks", write(skill, "---\nname: zap\n---\nRun `npm test`, and mind the result!\n"));
  passes("an edit that only speaks", edit(skill, "a", "Use `npm test`."));
  passes("a here-document that only speaks", bash(`cat > ${skill} <<'X'\nRun the tests.\nX`));
  passes("a directory for one", bash("mkdir -p .claude/skills/zap"));
  passes("looking", bash("cat .claude/skills/*/SKILL.md"));
  passes("removing", bash("rm -r .claude/skills/zap"));
  passes("the same words elsewhere", write(`${PROJECT}/docs/skills.md`, "Write !`git status` for a command.\n"));
});
