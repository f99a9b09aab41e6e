/** Files that hold secrets, by their names: no copy of them is made. */

const SECRET_FILE =
  /^(?:\.env(?:rc|\..+)?|.+\.env|\.npmrc|\.pypirc|\.netrc|\.pgpass|\.git-credentials|\.htpasswd|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml)|service-?account.*\.json|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|age|asc|gpg))$/i;
/** What shows others which secrets there are, without any. */
const SPECIMEN = /(?:^|[._-])(?:example|sample|template|dist|defaults?)(?:$|\.)/i;
const SECRET_PLACE = /(?:^|\/)\.(?:ssh|gnupg|aws|kube|docker)\//;

export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SECRET_PLACE.test(path) || (SECRET_FILE.test(name) && !SPECIMEN.test(name));
}
