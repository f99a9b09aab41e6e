/** Names of families of commands that policies give to their questions. */

export const GIT_NO_VERIFY = "git-no-verify";
export const GIT_PUSH_PROTECTED = "git-push-protected";
export const GIT_BRANCH_DELETE = "git-branch-delete";
