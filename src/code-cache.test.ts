import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { keepCode, type Part } from "./code-cache.ts";
import { sha256Hex } from "./store/digest.ts";

const scratch = mkdtempSync(join(tmpdir(), "sekisho-code-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let count = 0;

function part(kept: number, text = "the bundle"): Part {
  const cache = join(scratch, `${++count}`, "code.bin");
  const script = { createCachedData: () => Buffer.from("compiled") };
  return { script, cache, hash: sha256Hex("the bundle"), text: () => text, kept };
}

describe("compiled code", () => {
  it("is kept with how often it was kept, and with a sum of both", () => {
    const one = part(2);
    keepCode([one], () => 0);
    const bytes = readFileSync(one.cache);
    expect(bytes.subarray(0, -5).toString()).toBe("compiled");
    expect(bytes.at(-5)).toBe(3);
    expect(bytes.readUInt32LE(bytes.length - 4)).toBe(crc32(bytes.subarray(0, -4)));
  });

  it("is kept at once, then ever more seldom, and at last never again", () => {
    const isKept = (kept: number, chance: number): boolean => {
      const one = part(kept);
      keepCode([one], () => chance);
      return existsSync(one.cache);
    };
    expect([isKept(0, 0.999), isKept(1, 0.49), isKept(1, 0.5), isKept(6, 0.015), isKept(6, 0.016)]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(isKept(7, 0)).toBe(false);
  });

  it("of another content than was built is not kept under its name", () => {
    const changed = part(0, "the bundle, changed");
    keepCode([changed]);
    expect(existsSync(changed.cache)).toBe(false);
  });

  it("that cannot be written costs nothing but time", () => {
    expect(() => keepCode([{ ...part(0), cache: join(import.meta.filename, "code.bin") }])).not.toThrow();
  });
});
