import { describe, expect, it } from "vitest";
import { isSecretFile, kindAnywhere } from "./secret-file.ts";

describe("secret files, which are never copied", () => {
  it.each([
    ...[".env", ".env.local", ".env.test", "prod.env", ".envrc", ".npmrc", ".pypirc", ".netrc", ".pgpass"],
    ...[".git-credentials", ".htpasswd", "credentials", "credentials.json", "gcp-credentials.json", "secret.yml"],
    ...["secrets.toml", "service-account-prod.json", "serviceaccount.json", "id_rsa", "id_ed25519", "server.pem"],
    ...["server.key", "a.p12", "a.pfx", "a.jks", "a.keystore", "a.ppk", "a.kdbx", "a.age", "a.asc", "a.gpg"],
    ...["SERVER.KEY", "Secrets.JSON", ".ssh/config", ".aws/config", ".docker/config.json", ".kube/x", ".gnupg/x"],
  ])("%s is secret at the root and below", (path) => {
    expect([isSecretFile(path), isSecretFile(`a/b c/${path}`)]).toEqual([true, true]);
  });

  it.each([
    ...["src/a.ts", ".env.example", "config/secrets.example.yaml", "credentials.template.json", "key.sample.pem"],
    ...["environment.ts", "monkey.ts", "keys/README.md", "src/secret-file.ts", "run/secrets/a.ts", "etc/shadow"],
    // Terraform state: its loss hurts more than a copy of it.
    ...["terraform.tfstate", "prod.tfvars", "wp-config.php"],
  ])("%s is copied", (path) => {
    expect([isSecretFile(path), isSecretFile(`a/b c/${path}`)]).toEqual([false, false]);
  });

  it("files that count as secrets anywhere are not copied, except infrastructure files", () => {
    for (const path of ["/x/.env.production", "/x/deploy.key", "/x/client_secret_1.json", "/x/priv.pem"])
      expect([path, kindAnywhere(path) !== undefined, isSecretFile(path.slice(1))]).toEqual([path, true, true]);
  });
});
