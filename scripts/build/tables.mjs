/**
 * Makes the tables of a file objects without a prototype. Each process makes a table once, and V8 makes a hidden class for
 * each property of an object, unless the object has no prototype: then it is a hash table, which takes a fifth of the
 * instructions for each property.
 */
export function plainTables(code) {
  return code.replace(TABLE, (all, head, body) => {
    const properties = body.match(/^ {2}[^\s})\]]/gm) ?? [];
    return properties.length < PROPERTIES_MIN ? all : `${head}{\n  __proto__: null,${body}`;
  });
}

/** Smaller objects share the hidden classes of others. */
const PROPERTIES_MIN = 5;
/** As esbuild writes an object at the top of a file; it may be the argument of one call. */
const TABLE = /^((?:var|const|let) \w+ = (?:(?:\(0, \w+\.\w+\)|\w+)\()?)\{(\n(?: {2}.*\n|\n)*)/gm;
