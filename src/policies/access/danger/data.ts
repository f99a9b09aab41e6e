/** Databases: dropping, truncating, or deleting without a condition. */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import { type Invocation, literalWord } from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";
import { FRAMEWORKS, SCRIPTS } from "./frameworks.ts";
import { VerbTable } from "./rows.ts";
import { statementLoss } from "./statements.ts";
import { toolName } from "./tools.ts";
import { verbDecision } from "./verbs.ts";

export const dataDanger: Judge = (invocation) => {
  const name = toolName(invocation.name ?? "");
  const server = SERVERS.get(name);
  if (server) {
    const decisions = withInput(invocation).map((each) => verbDecision(each, server));
    if (decisions.includes("deny")) return dropped(shown(invocation));
    if (decisions.includes("ask")) return question(changed(invocation), DUMP_FIRST);
  }
  if (CLIENTS.has(name)) return statementDanger(invocation);
  return frameworkDanger(invocation, name);
};

const CLIENTS = names(
  "psql pgcli mysql mariadb mycli mysqlsh sqlite sqlite3 litecli mongo mongosh sqlcmd sqlplus isql clickhouse " +
    "clickhouse-client cqlsh duckdb snowsql bq usql cockroach turso wrangler influx hive beeline spark-sql trino presto " +
    "impala-shell vsql dolt cypher-shell surreal rqlite heroku supabase neonctl libsql",
);

export function isDatabaseClient(name: string): boolean {
  return CLIENTS.has(name);
}

/** Programs that affect a whole server or database with a single word. */
const SERVERS = new VerbTable(`
dropdb: deny *
dropuser: ask *
mysqladmin: deny drop, ** drop; ask flush-*, shutdown; short uhP
mariadb-admin: deny drop, ** drop; ask shutdown; short uhP
pg_dropcluster: deny *
pg_resetwal: pass -n; deny *, -f|-D*|--force
pg_restore: pass -f*|-l; ask -c|--clean
mongorestore: ask --drop
redis-cli: pass --scan;
  deny flushall|flushdb, shutdown nosave;
  ask eval|evalsha|script =flush, config set dir|dbfilename, swapdb, del =…, unlink =…, debug, replicaof|slaveof;
  short hpnau;
  first redis-cli --rdb dump.rdb
valkey-cli: = redis-cli
keydb-cli: = redis-cli
influx: deny bucket delete, delete, org delete
`);

/** Commands for a server may come from standard input, one per line. */
function withInput(invocation: Invocation): Invocation[] {
  const lines = (invocation.stdin?.text ?? "").split("\n", INPUT_MAX).filter((line) => line.trim() !== "");
  const given = lines.map((line) => ({ ...invocation, args: line.trim().split(/\s+/).map(literalWord) }));
  return [invocation, ...given];
}

const INPUT_MAX = 200;

function changed(invocation: Invocation) {
  return text(
    `Data of a whole server would be lost or changed: ${shown(invocation)}.`,
    `サーバー全体のデータが失われるか変わります: ${shown(invocation)}。`,
  );
}

function dropped(by: string): Danger {
  return forbid(text(`A whole database would be lost: ${by}.`, `データベース全体が失われます: ${by}。`), DUMP_FIRST);
}

const DUMP_FIRST = text(
  "Dump it first (`pg_dump`, `mysqldump`, `sqlite3 db .dump`, `mongodump`, `redis-cli --rdb`) and let the person confirm which database it is.",
  "先にダンプ（`pg_dump`、`mysqldump`、`sqlite3 db .dump`、`mongodump`、`redis-cli --rdb`）を取り、対象のデータベースを利用者に確認してください。",
);

const WITH_WHERE = text(
  "Add a WHERE, and try it inside BEGIN … ROLLBACK first.",
  "WHERE を付け、先に BEGIN … ROLLBACK の中で試してください。",
);

function statementDanger(invocation: Invocation): Danger | undefined {
  const { args, stdin } = invocation;
  if (args.some(({ text: word }) => word === ":memory:" || word === "-safe")) return undefined;
  // `--command=DROP …` and `-cDROP …` contain an option value and not an SQL comment.
  const words = args.map(({ text: word }) => word.replace(/^--[\w-]+=?|^-[a-zA-Z]/, ""));
  if (stdin?.text === undefined && stdin?.from.some(makesStatements)) return fedStatements(invocation);
  return sqlDanger(`${words.join("\n;")}\n;${stdin?.text ?? ""}`, shown(invocation));
}

/** `psql -c "select 'drop table ' || …" | psql`: statements that another one puts together. */
function makesStatements({ name = "", args }: Invocation): boolean {
  return CLIENTS.has(name) && args.some(({ text: word }) => /\b(?:drop|truncate|delete)\b/i.test(word));
}

function fedStatements(invocation: Invocation): Danger {
  return question(
    text(
      `${shown(invocation)} runs statements that another command puts together, and those drop or delete.`,
      `${shown(invocation)} は、別のコマンドが組み立てた削除の文を実行します。`,
    ),
    text(
      "Print the statements first, and run the ones you want by name.",
      "先に文を表示し、必要なものだけを実行してください。",
    ),
  );
}

/** The danger of statements in a query language; `by` is what would send them. */
export function sqlDanger(statements: string, by: string): Danger | undefined {
  switch (statementLoss(statements)) {
    case "database":
      return dropped(by);
    case "table":
      return forbid(text("The rows of a whole table would be lost.", "テーブル全体の行が失われます。"), DUMP_FIRST);
    case "rows":
      return question(
        text(
          "Without a WHERE this changes every row of the table.",
          "WHERE がないため、テーブルの全行が対象になります。",
        ),
        WITH_WHERE,
      );
    case "definition":
      return question(
        text(
          "A column, a view or a role would be dropped, with what hangs on it.",
          "列・ビュー・ロールなどが、それに依存するものと共に削除されます。",
        ),
        DUMP_FIRST,
      );
    default:
      return undefined;
  }
}

/** Framework commands that drop the database. */
function frameworkDanger(invocation: Invocation, name: string): Danger | undefined {
  // `php artisan`, `python manage.py`, `ruby bin/rails`: the script is the actual tool.
  if (startsScripts(name)) {
    const [script, ...rest] = invocation.args;
    const file = script?.text.replace(/^.*\//, "") ?? "";
    if (SCRIPTS.has(file)) return frameworkDanger({ ...invocation, args: rest }, file);
  }
  const row = FRAMEWORKS.get(name);
  if (!row || !verbDecision(invocation, row)) return undefined;
  return question(
    text(
      `This drops the application's database: ${shown(invocation)}.`,
      `アプリケーションのデータベースが消えます: ${shown(invocation)}。`,
    ),
    DUMP_FIRST,
  );
}

function startsScripts(name: string): boolean {
  const may = name.startsWith("p") || name.startsWith("ruby");
  return may && /^(?:php|python|ruby)[\d.]*$/.test(name);
}
