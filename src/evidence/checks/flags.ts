/** Options that do not narrow a check. */
import { Rows } from "../../lib/name-table.ts";

/**
 * Per program, because letters differ: `-v` means verbose for pytest, but prints the version and exits 0 for vitest.
 * `--x:` takes a value in the same or the next word; `--x=` only in the same.
 */
const FLAGS = new Rows(`
*: --silent --verbose --color --colors --no-color --no-colors --coverage --ci --bail --bail= --no-cache --no-watch
  --watch=false --watchAll=false --reporter: --reporters:
npm: -s --silent -q --quiet -d --verbose --color --no-color --no-progress --foreground-scripts --coverage --loglevel=
jest: --silent --verbose --color --colors --no-color --coverage --ci --bail --bail= -b -i --runInBand --no-cache
  --watchAll=false --reporters: --detectOpenHandles --maxWorkers:
pytest: . ./ -q -qq -v -vv -vvv -s -x --exitfirst --maxfail: --tb: -rA -ra -rs -rf -l --showlocals --durations: --cov
  --no-cov --color: --no-header --strict-markers --cache-clear --cov: -n: --numprocesses:
go: -v -race -cover -failfast -count=1 -timeout: -parallel: -shuffle:
cargo: -q --quiet -v -vv --verbose --locked --offline --frozen --workspace --all --all-targets --all-features -j: --jobs:
  --color: --no-fail-fast
eslint: --color --no-color --format: -f: --max-warnings=0
tsc: --noEmit --pretty --diagnostics
ruff: . ./ -q --quiet -v --verbose --no-cache -n --output-format:
mypy: . ./ -v --pretty --no-color-output --show-error-codes
make: -s --silent --quiet -j -j: --jobs: -k --keep-going -B --always-make --no-print-directory
just: -q --quiet
task: -s --silent -v --verbose
mise: -q --quiet -v --verbose -j: --jobs:
tox: -q -v -p -p: --parallel
nox: -v --verbose -R --reuse-existing-virtualenvs
dotnet: --nologo --no-restore -v: --verbosity: -c: --configuration:
bazel: --test_output= --config= -k --keep_going
mvn: -q --quiet -B --batch-mode -ntp --no-transfer-progress -e -T:
gradle: -q --quiet --no-daemon --console: --stacktrace --info --rerun-tasks --no-build-cache
rspec: --format: -f: --no-color --color --fail-fast
rubocop: --format: -f: --no-color --color
mix: --trace --cover --color --warnings-as-errors
node: --test-reporter:
deno: -q --quiet --no-check=
`);

/** The number of words this option takes; 0 when it is not such an option. */
export function idleAt(words: readonly string[], at: number, program: string): number {
  const known = (FLAGS.get(program) ?? FLAGS.get("*") ?? "").split(" ");
  const [word = "", next] = words.slice(at, at + 2);
  const takesValue = known.includes(`${word}:`);
  if (known.includes(word)) return takesValue && /^\d+$/.test(next ?? "") ? 2 : 1;
  if (takesValue) return isValue(next) ? 2 : 0;
  return hasValue(word, known) ? 1 : 0;
}

/** `--tb=short`, `-j4`. */
function hasValue(word: string, known: readonly string[]): boolean {
  const [, name = "", value] = /^(-[^=]*)=(.*)$/s.exec(word) ?? /^(-j)(\d+)$/.exec(word) ?? [];
  return isValue(value) && (known.includes(`${name}:`) || known.includes(`${name}=`));
}

/** No paths: a custom reporter file could exit with any code. */
function isValue(word: string | undefined): boolean {
  return word !== undefined && /^[A-Za-z\d][\w.,:-]*$/.test(word);
}

/** True if the words are the check's own command, apart from options that do not narrow it. */
export function isSameRun(words: readonly string[], part: readonly string[]): boolean {
  let [at, own] = [0, 0];
  while (at < words.length) {
    const idle = words[at] === part[own] ? 0 : idleAt(words, at, part[0] ?? "");
    if (words[at] === part[own]) own += 1;
    else if (idle === 0) return false;
    at += Math.max(idle, 1);
  }
  return own === part.length;
}
