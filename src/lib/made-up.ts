/** Values that people write where a secret would stand, in tests and on development machines. */

/** Words that are no secret: defaults of development databases, placeholders. */
const DEFAULTS =
  /^(?:postgres|postgresql|mysql|mariadb|root|admin|administrator|user|guest|demo|sa|secret|password|passwd|pass|changeme|change-me|local|localhost|dev|development|staging|ci|none|null|nil|undefined|true|false|foo|bar|baz|abc|xyz|x+|\*+|\.+|12345?6?7?8?9?0?)$/i;

/** Words that mark the value around them as made up: `e2e-test-secret`, `dummy_token`. */
const MARKS =
  /(?:^|[-_. ])(?:test|tests|testing|e2e|dummy|fake|mock|mocked|example|sample|placeholder|invalid|todo|your)(?:$|[-_. ])/i;

/** A long run of letters and digits mixed looks random, whatever stands beside it. */
const RANDOM = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16,}/i;

export function isMadeUp(value: string): boolean {
  return DEFAULTS.test(value) || (value.length <= LENGTH_MAX && MARKS.test(value) && !RANDOM.test(value));
}

const LENGTH_MAX = 80;

/** The text without made-up values, so that what still looks like a secret may be one. */
export function withoutMadeUp(text: string): string {
  return text.replace(VALUE, (value) => (isMadeUp(value) ? "" : value));
}

const VALUE = /[\w.*-]+/g;
