/** Lists and maps with a form of their own: steps, tiers, checks, the completion contract. */
import { DEFAULT_TIER } from "../definition.ts";
import type { MapNode, Node } from "../source.ts";
import { textOf } from "../source.ts";
import type { Fields, ObjectKind, Read } from "./fields.ts";
import { complain, either, id, isId, type Kind, keyed, list, mapped, type Place, prose, words } from "./kinds.ts";
import { dodItem } from "./parts.ts";

/** By id, in the order of the file. */
export function steps<F extends Fields>(step: ObjectKind<F>): Kind<readonly (readonly [string, Read<F>])[]> {
  const { properties, ...rest } = step.schema;
  const item = {
    ...rest,
    properties: { id: { ...id.schema, description: "The name of the step." }, ...(properties as object) },
    required: ["id"],
  };
  return {
    schema: {
      anyOf: [
        { type: "object", additionalProperties: step.schema },
        { type: "array", items: item },
      ],
    },
    read(node, place) {
      if (node.is === "value") return complain(node, place, "not-steps");
      const found =
        node.is === "map"
          ? node.entries.map(({ key, line, value }) => ({ key, line, value }))
          : listed(node.items, place);
      const seen = new Map<string, number>();
      return found.flatMap(({ key, line, value }) => {
        const at = { ...place, path: `${place.path}.${key}` };
        const earlier = seen.get(key);
        if (!isId(key)) return complain({ is: "value", line, value: key, text: key }, at, "bad-id") ?? [];
        if (earlier !== undefined)
          return complain({ is: "value", line, value: key, text: key }, at, "step-twice", String(earlier)) ?? [];
        seen.set(key, line);
        place.mark(at.path, line);
        const read = value.is === "value" && value.value === null ? ({} as Read<F>) : step.read(value, at);
        return read === undefined ? [] : [[key, read] as const];
      });
    },
  };
}

interface Found {
  readonly key: string;
  readonly line: number;
  readonly value: Node;
}

function listed(items: readonly Node[], place: Place): readonly Found[] {
  return items.flatMap((item, at): readonly Found[] => {
    const here = { ...place, path: `${place.path}.${at}` };
    if (item.is !== "map") return complain(item, here, "not-a-map") ?? [];
    const own = item.entries.find(({ key }) => key === "id");
    if (own?.value.is !== "value" || own.value.text === "") return complain(item, here, "no-id") ?? [];
    const rest: MapNode = { ...item, entries: item.entries.filter((entry) => entry !== own) };
    return [{ key: own.value.text, line: own.line, value: rest }];
  });
}

/** A list of ids, or the name of a tier that has the same steps. One list alone is the only tier. */
export const tiers = either(
  "map",
  keyed(either("list", list(id), words)),
  mapped(
    list(id),
    (ids) => [[DEFAULT_TIER, ids] as const] as readonly (readonly [string, readonly string[] | string])[],
  ),
);

/** `test`, `{name: test}` or `test: what it looks at`. */
export const checkName: Kind<string> = {
  schema: { anyOf: [{ type: "string" }, { type: "object" }] },
  read(node, place) {
    if (node.is === "value") return textOf(node) || undefined;
    const named = node.is === "map" ? node.entries.find(({ key }) => key === "name" || key === "id") : undefined;
    if (named) return textOf(named.value);
    return node.is === "map" && node.entries[0] ? node.entries[0].key : complain(node, place, "not-words");
  },
};

/** Under the name of the pipeline, or at once. */
export const dod = either(
  "map",
  mapped(keyed(list(dodItem)), (groups) => groups.flatMap(([, items]) => items)),
  list(dodItem),
);

/** Any words but `false` mean yes. */
export const truth = mapped(prose, (said) => said !== "false");
