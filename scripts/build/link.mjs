/**
 * Links the files of the hook so that each is compiled and run when something of it is first used: an event needs a
 * third of them. Every export has a slot in one array, and a use of it asks for its file if the slot is still empty. A
 * bundler puts all files into one scope instead, and V8's code cache then holds every function, used or not.
 */
import { createRequire } from "node:module";
import { transform } from "esbuild";
import { ALONE, exportsOf, filesFrom, isPackage, oneFile, useOf } from "./files.mjs";

/**
 * Links what `entry` needs. `volumes` says which files stand in a bundle of their own, with whatever only they need.
 * Commands and the daemon use the files of the volumes `offered` too. Returns the text of each bundle, the packages in it, and the
 * plugin for the commands.
 */
export async function link({ options, entry, names, volumes, offered, plugins }) {
  const listed = await exportsOf(
    offered.flatMap((volume) => volumes[volume]),
    options,
  );
  const wanted = new Map([[entry, new Set(names)], ...listed.map(([file, all]) => [file, new Set(all)])]);
  const files = await filesFrom(wanted, (file, some) => oneFile(file, some, { options, plugins }));
  const bundleOf = placed(files, entry, volumes);
  const order = Object.keys(volumes).reduce((at, name, n) => at.set(name, n + 1), new Map([[MAIN, 0]]));
  const sorted = [...files.keys()].sort((a, b) => order.get(bundleOf.get(a)) - order.get(bundleOf.get(b)));
  const plan = planOf(sorted, files, bundleOf);
  const texts = [MAIN, ...Object.keys(volumes)].map(async (bundle) => {
    const text = bundle === MAIN ? mainText(plan, entry, names) : volumeText(plan, bundle);
    return [bundle, await minified(text, options)];
  });
  const packagesIn = (bundle) =>
    sorted.filter((file) => isPackage(file) && bundleOf.get(file) === bundle).map((name) => `node_modules/${name}/`);
  const linked = Object.fromEntries(await Promise.all(texts));
  const values = valuesIn(linked, plan);
  return {
    texts: linked,
    packages: Object.fromEntries([...order.keys()].map((bundle) => [bundle, packagesIn(bundle)])),
    standIns: standIns(Object.fromEntries(listed), plan.slotOf, values),
  };
}

const MAIN = "hook.cjs";

/** The bundle of each file: a volume's, if nothing but the files listed for that volume needs the file. */
function placed(files, entry, volumes) {
  const listed = new Map(Object.entries(volumes).flatMap(([name, list]) => list.map((file) => [`src/${file}`, name])));
  const strange = [...listed.keys()].filter((file) => !files.has(file));
  if (strange.length > 0) throw new Error(`the hook does not use ${strange.join(", ")}`);
  const reachedIn = (bundle, from) => {
    const seen = new Set();
    for (const open = [...from]; open.length > 0; ) {
      const file = open.pop();
      if ((listed.get(file) ?? bundle) !== bundle || seen.has(file)) continue;
      seen.add(file);
      open.push(...files.get(file).uses.map(([other]) => other));
    }
    return seen;
  };
  const reached = Object.entries(volumes).map(([name, list]) => [
    name,
    reachedIn(
      name,
      list.map((file) => `src/${file}`),
    ),
  ]);
  const always = reachedIn(MAIN, [entry]);
  const bundleIn = (file) => {
    const found = reached.filter(([, seen]) => seen.has(file));
    return always.has(file) || found.length !== 1 ? MAIN : found[0][0];
  };
  const bundleOf = new Map([...files.keys()].map((file) => [file, bundleIn(file)]));
  for (const [file, bundle] of bundleOf)
    if (isPackage(file) && bundle === MAIN) throw new Error(`${MAIN} holds ${file}: list what imports it in a volume`);
  return bundleOf;
}

/** Numbers the files and the slots of their exports, in the order of the bundles. */
function planOf(sorted, files, bundleOf) {
  const ids = new Map(sorted.map((file, id) => [file, id]));
  const owners = [];
  const slots = new Map();
  const slotOf = (file, name) => {
    const { value } = files.get(file).exports.find((one) => one.name === name);
    const passedOn = passedOnBy(value, files.get(file).imports);
    if (passedOn) return slotOf(passedOn.from, passedOn.name);
    const key = `${file} ${name}`;
    if (!slots.has(key)) slots.set(key, owners.push(ids.get(file)) - 1);
    return slots.get(key);
  };
  for (const file of sorted) for (const { name } of files.get(file).exports) slotOf(file, name);
  const linked = new Map(sorted.map((file) => [file, linkedFile(file, files, slotOf)]));
  return { sorted, ids, owners, slotOf, linked, bundleOf };
}

/** What a file exports of another is that file's. */
function passedOnBy(value, imports) {
  const [, local, name] = /^(\w+)\.(\w+)$/.exec(value) ?? [];
  const from = imports.find((one) => one.local === local)?.from;
  return from && { from, name };
}

/** The file as a function without arguments that fills its slots: functions first, because files may need each other. */
function linkedFile(file, files, slotOf) {
  const { code, exports, imports } = files.get(file);
  let text = code;
  for (const { local, from } of imports) {
    text = text.replace(CALLED(local), (_, name) => `${used(from, name, files, slotOf)}(`);
    text = text.replace(useOf(local), (_, name) => used(from, name, files, slotOf, "value"));
    if (new RegExp(`${ALONE}${local}(?![\\w$])`).test(text)) throw new Error(`${file}: ${local} is used as a whole`);
  }
  const own = exports.filter(({ value }) => !passedOnBy(value, imports));
  const fill = ({ name, value }) => `$[${slotOf(file, name)}]=${value};`;
  const isHoisted = ({ value }) => isFunction(code, value);
  const [first, last] = [own.filter(isHoisted), own.filter((one) => !isHoisted(one))];
  return `()=>{${first.map(fill).join("")}\n${text}\n${last.map(fill).join("")}}`;
}

const CALLED = (local) => new RegExp(`\\(0, ${local}\\.(\\w+)\\)\\(`, "g");
const isFunction = (code, name) => new RegExp(`^(?:async )?function\\*? ${name}\\(`, "m").test(code);

/** Node's own modules load when used too; `fs` and `path` are loaded anyway. A function as a value loads nothing yet. */
function used(from, name, files, slotOf, as) {
  if (from.startsWith("node:")) return `${LOADED[from] ?? `(require("${from}"))`}.${name}`;
  const slot = slotOf(from, name);
  return as === "value" && isFunctionOf(from, name, files) ? `$f(${slot})` : `($[${slot}]??$r(${slot}))`;
}

const LOADED = { "node:fs": "$fs", "node:path": "$path" };

function isFunctionOf(file, name, files) {
  const { code, exports, imports } = files.get(file);
  const { value } = exports.find((one) => one.name === name);
  const passedOn = passedOnBy(value, imports);
  return passedOn ? isFunctionOf(passedOn.from, passedOn.name, files) : isFunction(code, value);
}

/**
 * `$`: the slots. `$i`: the files that have not run yet. `$r` runs the file of a slot. `$f` stands for a function whose
 * file has not run yet.
 */
function mainText({ sorted, ids, owners, slotOf, linked, bundleOf }, entry, names) {
  const own = sorted.filter((file) => bundleOf.get(file) === MAIN);
  const volumes = [...new Set(sorted.map((file) => bundleOf.get(file)))].filter((name) => name !== MAIN);
  const firstIn = (name) => ids.get(sorted.find((file) => bundleOf.get(file) === name));
  const where = volumes.map((name) => `if(id>=${firstIn(name)})volume="./${name}";`).join("");
  const all = volumes.map((name) => `$l(${firstIn(name)});`).join("");
  const table = owners.map((id) => String.fromCharCode(id)).join("");
  return `"use strict";
const $fs=require("node:fs"),$path=require("node:path"),$=Array(${owners.length}),$o=${JSON.stringify(table)},
$i=[${own.map((file) => linked.get(file)).join(",\n")}],
$l=(id)=>{if(!(id in $i)){let volume;${where}require(volume)($,$r,$f,$i,$fs,$path,require)}},
$s=(id)=>{$l(id);const run=$i[id];if(run){$i[id]=null;run()}},
$r=(slot)=>$[slot]??($s($o.charCodeAt(slot)),$[slot]),
$f=(slot)=>$[slot]??((...args)=>$r(slot)(...args));
exports.part=$r;exports.loadAll=()=>{${all}};${names.map((name) => `exports.${name}=$f(${slotOf(entry, name)});`).join("")}`;
}

function volumeText({ sorted, ids, linked, bundleOf }, volume) {
  const own = sorted.filter((file) => bundleOf.get(file) === volume);
  const body = own.map((file) => `$i[${ids.get(file)}]=${linked.get(file)};`).join("\n");
  return `"use strict";module.exports=($,$r,$f,$i,$fs,$path,require)=>{${body}};`;
}

/** Puts functions in the place of a volume's files that load the hook and the volume when they are called. */
function standIns(exported, slotOf, values) {
  const standIn = (file, name) => {
    const slot = slotOf(file, name);
    const isFunction = typeof values[slot] === "function";
    return isFunction ? `export const ${name} = (...args) => require("./${MAIN}").part(${slot})(...args);` : "";
  };
  return {
    name: "stand-ins",
    setup({ onLoad }) {
      for (const [file, names] of Object.entries(exported)) {
        const contents = names.map((name) => standIn(file, name)).join("\n");
        onLoad({ filter: new RegExp(`/${file.replaceAll(".", "[.]")}$`) }, () => ({ contents, loader: "ts" }));
      }
    },
  };
}

/** The value of every export, each taken from a program in which nothing has run yet: any file may be the first. */
function valuesIn(texts, { owners, sorted }) {
  const scripts = mapOf(texts, (text) => new Function("module", "exports", "require", text));
  const part = () => {
    const loaded = (name) => {
      if (!name.startsWith("./")) return createRequire(import.meta.url)(name);
      const module = { exports: {} };
      scripts[name.slice(2)](module, module.exports, loaded);
      return module.exports;
    };
    return loaded(`./${MAIN}`).part;
  };
  return owners.map((id, slot) => {
    const value = part()(slot);
    if (value === undefined) throw new Error(`${sorted[id]} cannot be the first to run: it needs a file that needs it`);
    return value;
  });
}

const mapOf = (record, map) => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

async function minified(text, { target }) {
  return (await transform(text, { minify: true, target, legalComments: "none" })).code;
}
