/** Databases: what is dropped, truncated or deleted without a condition. */

import type { Invocation } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";

export const dataDanger: Judge = (invocation) => {
  const { name, args } = invocation;
  if (name === undefined) return undefined;
  if (name === "dropdb" || (name === "mysqladmin" && args.some(({ text: word }) => word === "drop")))
    return dropped(invocation);
  if (name === "redis-cli" && args.some(({ text: word }) => /^flush(?:all|db)$/i.test(word)))
    return dropped(invocation);
  if (CLIENTS.test(name))
    return statementDanger(
      `${args.map(({ text: word }) => word).join("\n")}\n${invocation.stdin?.text ?? ""}`,
      invocation,
    );
  return frameworkDanger(invocation);
};

const CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|mongosh?|sqlcmd|clickhouse(?:-client)?|cqlsh|duckdb|snowsql|bq|usql|cockroach|turso|wrangler)$/;

function dropped(invocation: Invocation): Danger {
  return forbid(
    text(
      `A whole database would be lost: ${shown(invocation)}.`,
      `データベース全体が失われます: ${shown(invocation)}。`,
    ),
    DUMP_FIRST,
  );
}

const DUMP_FIRST = text(
  "Dump it first (`pg_dump`, `mysqldump`, `sqlite3 db .dump`) and let the person confirm which database it is.",
  "先にダンプ（`pg_dump`、`mysqldump`、`sqlite3 db .dump`）を取り、対象のデータベースを利用者に確認してください。",
);

function statementDanger(sql: string, invocation: Invocation): Danger | undefined {
  const plain = withoutComments(sql).replace(/'[^']*'/g, "''");
  if (/\bdrop\s+(?:database|schema|owned|keyspace)\b|\bdropDatabase\s*\(/i.test(plain)) return dropped(invocation);
  if (
    /\bdrop\s+table\b|\btruncate\s+(?:table\s+)?[\w"`.]|\.drop\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\)/i.test(
      plain,
    )
  ) {
    return forbid(text("The rows of a whole table would be lost.", "テーブル全体の行が失われます。"), DUMP_FIRST);
  }
  return plain.split(";").some(touchesEveryRow)
    ? question(
        text(
          "Without a WHERE this changes every row of the table.",
          "WHERE がないため、テーブルの全行が対象になります。",
        ),
        text(
          "Add a WHERE, and try it inside BEGIN … ROLLBACK first.",
          "WHERE を付け、先に BEGIN … ROLLBACK の中で試してください。",
        ),
      )
    : undefined;
}

function withoutComments(sql: string): string {
  let plain = "";
  let at = 0;
  for (let start = sql.indexOf("/*"); start >= 0; start = sql.indexOf("/*", at)) {
    const end = sql.indexOf("*/", start + 2);
    plain += `${sql.slice(at, start)} `;
    at = end < 0 ? sql.length : end + 2;
    if (end < 0) break;
  }
  return (plain + sql.slice(at)).replace(/(?:^|\s)--[^\n]*/g, " ");
}

function touchesEveryRow(statement: string): boolean {
  return /\bdelete\s+from\s+\S|\bupdate\s+\S+\s+set\b/i.test(statement) && !/\bwhere\b/i.test(statement);
}

const RESETS =
  /\b(?:db:(?:drop|reset|purge|wipe)|migrate:(?:fresh|reset)|migrate reset|db push .*--force-reset|schema:drop|database:drop)\b/;

/** Frameworks that drop the database on the way. */
function frameworkDanger(invocation: Invocation): Danger | undefined {
  const { name = "", args } = invocation;
  const words = args.map(({ text: word }) => word).join(" ");
  const flushes =
    /^(?:python|django-admin|manage\.py)/.test(name) && /(?:^|manage\.py )(?:flush|reset_db|sqlflush)\b/.test(words);
  if (!flushes && !(FRAMEWORKS.test(name) && RESETS.test(words))) return undefined;
  return question(
    text(
      `This drops the application's database: ${shown(invocation)}.`,
      `アプリケーションのデータベースが消えます: ${shown(invocation)}。`,
    ),
    DUMP_FIRST,
  );
}

const FRAMEWORKS =
  /^(?:rails|rake|bin\/rails|php|artisan|prisma|npx|sequelize|typeorm|knex|mix|supabase|drizzle-kit|bundle)$/;
