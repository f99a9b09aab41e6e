#!/usr/bin/env bash
DB=${DB:-app_dev}
migrate() { psql "$DB" -f db/schema.sql; }
drop() { dropdb --if-exists "$DB"; createdb "$DB"; migrate; }
"$@"
