/** Frameworks and migration tools with subcommands that drop, empty or roll back the application's database. */

import { names } from "../../../lib/name-table.ts";
import { VerbTable } from "./rows.ts";

export const FRAMEWORKS = new VerbTable(`
rails: ask runner|r =delete_all, runner|r =destroy_all,
  db:drop*|db:reset*|db:purge*|db:schema:load*|db:structure:load|db:setup|db:truncate*|db:seed:replant|db:migrate:reset
rake: = rails
artisan: ask migrate:fresh|migrate:reset|migrate:refresh|db:wipe
sail: ask artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe
manage.py: ask flush|reset_db|sqlflush|reset_schema, migrate ** zero, shell =.delete()
django-admin: = manage.py
console: ask doctrine:database:drop|doctrine:schema:drop|d:d:d|d:s:d, doctrine:fixtures:load
prisma: ask migrate reset, db push --force-reset|--accept-data-loss
sequelize: ask db:drop, db:migrate:undo:all
sequelize-cli: = sequelize
typeorm: ask schema:drop
typeorm-ts-node-commonjs: ask schema:drop
knex: ask migrate:rollback --all
drizzle-kit: ask drop, push --force
mikro: ask schema:drop|schema:fresh|migration:fresh
mikro-orm: ask schema:drop|schema:fresh|migration:fresh
mix: ask ecto.drop|ecto.reset, ecto.rollback --all
supabase: ask db reset
alembic: ask downgrade base
flask: ask db downgrade base, db drop
flyway: ask clean
liquibase: ask drop-all|dropall
dotnet: ask ef database drop
dotnet-ef: ask database drop
sqlx: ask database drop|reset
diesel: ask database drop|reset
sea: ask migrate fresh|reset|refresh
sea-orm-cli: ask migrate fresh|reset|refresh
goose: ask reset, ** reset, down-to 0, ** down-to 0
migrate: ask drop, ** drop, down -all, ** down -all
dbmate: ask drop
atlas: ask schema clean
hasura: ask migrate apply --down, metadata clear
wp: ask db reset|drop|clean, site empty|delete
drush: ask sql-drop|sql:drop|site-install|site:install|si
bundle: ask exec rails|rake db:drop*|db:reset*|db:purge*
`);

/** Framework scripts that are passed to an interpreter by name. */
export const SCRIPTS = names("artisan manage.py console rails rake wp drush");
