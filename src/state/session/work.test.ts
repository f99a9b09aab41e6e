import { expect, it } from "vitest";
import { beginWork, reduceWork, touch, type Works } from "./work.ts";

const begun = (works: Works, root: string): Works =>
  beginWork(works, { record: "work", do: "begin", id: "x", root, base: "b" });

it("a work tree with open work is not evicted by other ones", () => {
  const many = Array.from({ length: 20 }, (_, at) => `/n${at}`);
  const works = ["/project", ...many].reduce((known, root, at) => touch(begun(known, root), { root }, at + 1), {});
  expect(Object.keys(works)).toHaveLength(6);
  expect(works).toHaveProperty(["/project", "touchedAt"], 1);
});

it("a settled work tree makes room", () => {
  const roots = ["/a", "/b", "/c", "/d", "/e", "/f"];
  const full = roots.reduce<Works>((known, root) => touch(begun(known, root), { root }, 1), {});
  const settled = reduceWork(full, { record: "work", do: "settle", root: "/c", verified: true, code: "c" }, 2);
  const works = touch(begun(settled, "/new"), { root: "/new" }, 3);
  expect(Object.keys(works).sort()).toEqual(["/a", "/b", "/d", "/e", "/f", "/new"]);
});

it("work trees beside it are touched as well", () => {
  const works = touch(begun(begun({}, "/a"), "/b"), { root: "/a", beside: [{ root: "/b", code: ["x.ts"] }] }, 5);
  expect(works).toMatchObject({ "/a": { touchedAt: 5 }, "/b": { touchedAt: 5, codeAt: 5, paths: ["x.ts"] } });
});
