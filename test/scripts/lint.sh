#!/bin/sh
FILES=$(git diff --cached --name-only --diff-filter=ACM -- '*.js' '*.ts')
[ -z "$FILES" ] && exit 0
echo "$FILES" | xargs npx eslint --max-warnings 0
STATUS=$?
if [ $STATUS -ne 0 ]; then printf '\033[31mlint failed\033[0m\n'; fi
exit $STATUS
