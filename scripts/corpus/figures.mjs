/** Figures with their limits, and the rows behind them. */
import { isHeldOut } from "./rows.mjs";

const SHOWN_CHARS = 160;

/** A share of the rows, for all of them and for those held out. `most` or `least` is the limit in percent. */
export function figure(name, rows, isCounted, { most, least, tell = () => "", isApart = isHeldOut } = {}) {
  const share = (some) => (some.length === 0 ? undefined : (100 * some.filter(isCounted).length) / some.length);
  const [all, heldOut] = [share(rows), share(rows.filter(isApart))];
  const value = all ?? 0;
  const holds = (most === undefined || value <= most) && (least === undefined || value >= least);
  const alarms = rows.filter((row) => isCounted(row) === (least === undefined));
  return { name, count: rows.length, all, heldOut, most, least, holds, alarms: alarms.map((row) => shown(row, tell)) };
}

function shown(row, tell) {
  return `${tell(row)}${JSON.stringify(row.command ?? row.prompt).slice(0, SHOWN_CHARS)}`;
}

const percent = (value) => (value === undefined ? "–" : `${value.toFixed(2)} %`);

export function printTable(figures) {
  const cells = (name, ...rest) => console.log(name.padEnd(46) + rest.map((cell) => cell.padStart(11)).join(""));
  cells("", "rows", "all", "held out", "limit", "holds");
  for (const { name, count, all, heldOut, most, least, holds } of figures) {
    const limit = most === undefined ? (least === undefined ? "" : `≥ ${least} %`) : `≤ ${most} %`;
    cells(name, `${count}`, percent(all), percent(heldOut), limit, limit === "" ? "" : holds ? "yes" : "NO");
  }
}

export function printAlarms(figures) {
  for (const { name, alarms } of figures) {
    if (alarms.length === 0) continue;
    console.log(`\n${name}: ${alarms.length}`);
    for (const alarm of alarms) console.log(`  ${alarm}`);
  }
}
