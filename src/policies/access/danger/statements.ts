/** Classifies the loss that a statement in a query language causes. */

export type Loss = "database" | "table" | "rows" | "definition";

const databasePattern = (): RegExp =>
  /\bdrop\s+(?:database|schema|owned|keyspace|bucket|catalog|tablespace)\b|\bdropDatabase\s*\(|\bremove\s+(?:namespace|database)\b/i;
const tablePattern = (): RegExp =>
  /\bdrop\s+(?:foreign\s+|temporary\s+)?table\b|\btruncate\s+(?:table\s+)?[\w"`.]|\.drop\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*[,)]|\bdrop\s+(?:measurement|series|collection)\b|\bdetach\s+delete\b/i;
const definitionPattern = (): RegExp =>
  /(?:^|\n);?\s*\.restore\b|\b(?:reset\s+master|purge\s+(?:binary|master)\s+logs)\b|\bdrop\s+(?:column|user|role|view|materialized\s+view|index|sequence|function|procedure|trigger|type|extension|constraint|partition|policy)\b|\bdropIndexes?\s*\(/i;

export function statementLoss(source: string): Loss | undefined {
  const plain = withoutComments(source).replace(/'[^']*'/g, "''");
  if (databasePattern().test(plain)) return "database";
  if (tablePattern().test(plain)) return "table";
  if (plain.split(";").some(touchesEveryRow)) return "rows";
  return definitionPattern().test(plain) ? "definition" : undefined;
}

function withoutComments(source: string): string {
  let plain = "";
  let at = 0;
  for (let start = source.indexOf("/*"); start >= 0; start = source.indexOf("/*", at)) {
    const end = source.indexOf("*/", start + 2);
    plain += `${source.slice(at, start)} `;
    at = end < 0 ? source.length : end + 2;
    if (end < 0) break;
  }
  return (plain + source.slice(at)).replace(/(?:^|\s)--[^\n]*/g, " ");
}

/** A condition that is always true counts as no condition. */
const alwaysPattern = (): RegExp => /\bwhere\s+(?:true|not\s+false|(\d+)\s*=\s*\1|''\s*=\s*'')\s*$/i;

function touchesEveryRow(statement: string): boolean {
  if (!/\bdelete\s+from\s+\S|\bupdate\s+\S+\s+set\b/i.test(statement)) return false;
  return !/\bwhere\b/i.test(statement) || alwaysPattern().test(statement.trim());
}
