/** Frameworks and migration tools whose verbs drop, empty or roll back the application's database. */

import type { Verbs } from "./danger-verbs.ts";

function drops(...ask: readonly string[]): Verbs {
  return { ask, first: "" };
}

const RAILS = drops(
  "db:drop*|db:reset*|db:purge*|db:schema:load*|db:structure:load|db:setup|db:truncate*|db:seed:replant|db:migrate:reset",
  "runner|r =delete_all",
  "runner|r =destroy_all",
);
const LARAVEL = drops("migrate:fresh|migrate:reset|migrate:refresh|db:wipe");
const DJANGO = drops("flush|reset_db|sqlflush|reset_schema", "migrate ** zero", "shell =.delete()");
const SYMFONY = drops("doctrine:database:drop|doctrine:schema:drop|d:d:d|d:s:d", "doctrine:fixtures:load");
const SEQUELIZE = drops("db:drop", "db:migrate:undo:all");

export const FRAMEWORKS: Readonly<Record<string, Verbs>> = {
  rails: RAILS,
  rake: RAILS,
  artisan: LARAVEL,
  sail: drops("artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe"),
  "manage.py": DJANGO,
  "django-admin": DJANGO,
  console: SYMFONY,
  prisma: drops("migrate reset", "db push --force-reset|--accept-data-loss"),
  sequelize: SEQUELIZE,
  "sequelize-cli": SEQUELIZE,
  typeorm: drops("schema:drop"),
  "typeorm-ts-node-commonjs": drops("schema:drop"),
  knex: drops("migrate:rollback --all"),
  "drizzle-kit": drops("drop", "push --force"),
  mikro: drops("schema:drop|schema:fresh|migration:fresh"),
  "mikro-orm": drops("schema:drop|schema:fresh|migration:fresh"),
  mix: drops("ecto.drop|ecto.reset", "ecto.rollback --all"),
  supabase: drops("db reset"),
  alembic: drops("downgrade base"),
  flask: drops("db downgrade base", "db drop"),
  flyway: drops("clean"),
  liquibase: drops("drop-all|dropall"),
  dotnet: drops("ef database drop"),
  "dotnet-ef": drops("database drop"),
  sqlx: drops("database drop|reset"),
  diesel: drops("database drop|reset"),
  sea: drops("migrate fresh|reset|refresh"),
  "sea-orm-cli": drops("migrate fresh|reset|refresh"),
  goose: drops("reset", "** reset", "down-to 0", "** down-to 0"),
  migrate: drops("drop", "** drop", "down -all", "** down -all"),
  dbmate: drops("drop"),
  atlas: drops("schema clean"),
  hasura: drops("migrate apply --down"),
  wp: drops("db reset|drop|clean", "site empty|delete"),
  drush: drops("sql-drop|sql:drop|site-install|site:install|si"),
  bundle: drops("exec rails|rake db:drop*|db:reset*|db:purge*"),
};

/** Scripts of frameworks that an interpreter is given by name. */
export const SCRIPTS: ReadonlySet<string> = new Set([
  "artisan",
  "manage.py",
  "console",
  "rails",
  "rake",
  "wp",
  "drush",
]);
