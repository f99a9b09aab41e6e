/** Values that people write where a secret would stand, in tests and on development machines. */

/** Words that are no secret: defaults of development databases, placeholders. */
const DEFAULTS =
  /^(?:postgres|postgresql|mysql|mariadb|root|admin|administrator|user|guest|demo|sa|secret|password|passwd|pass|changeme|change-me|local|localhost|dev|development|staging|ci|none|null|nil|undefined|true|false|foo|bar|baz|abc|xyz|token|key|api-key|apikey|x{3,}|\*+|\.+|12345?6?7?8?9?0?)$/i;

/** Words that mark the value around them as made up: `e2e-test-secret`, `dummy_token`. */
const MARKS =
  /(?:^|[-_. ])(?:test|tests|testing|e2e|dummy|fake|mock|mocked|example|sample|placeholder|invalid|todo|your)(?:$|[-_. ])/i;

/** A long run of letters and digits mixed looks random, whatever stands beside it. */
const RANDOM = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16,}/i;

export function isMadeUp(value: string): boolean {
  return DEFAULTS.test(value) || (value.length <= LENGTH_MAX && MARKS.test(value) && !RANDOM.test(value));
}

const LENGTH_MAX = 80;

/** The text without names whose value is made up, so that what still looks like a secret may be one. */
export function withoutMadeUp(text: string): string {
  return text.replace(PAIR, (pair, value: string) => (isMadeUp(value) ? "" : pair));
}

/** `"name": "value"`, `name=value`, `Authorization: Bearer value`. */
const PAIR = /["']?[\w.-]{1,64}["']?\s{0,4}[:=]\s{0,4}(?:(?:bearer|basic)\s{1,4})?["']?([\w.*-]{1,80})["']?/gi;
