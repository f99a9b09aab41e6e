import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { sha256Hex } from "../../store/digest.ts";
import { isDue, keepCode, type Part } from "./code-cache.ts";

const scratch = tempDirectory("code");

let count = 0;

function part(kept: number, text = "the bundle"): Part {
  const cache = join(scratch, `${++count}`, "code.bin");
  const script = { createCachedData: () => Buffer.from("compiled") };
  return { script, cache, hash: sha256Hex("the bundle"), text: () => text, kept, isKept: true };
}

describe("compiled code", () => {
  it("is stored with a counter and a checksum", () => {
    const one = part(2);
    keepCode([one]);
    const bytes = readFileSync(one.cache);
    expect(bytes.subarray(0, -5).toString()).toBe("compiled");
    expect(bytes.at(-5)).toBe(3);
    expect(bytes.readUInt32LE(bytes.length - 4)).toBe(crc32(bytes.subarray(0, -4)));
  });

  it("is stored at once, then with falling probability, and never again after the limit", () => {
    expect([isDue(0, 0.999), isDue(1, 0.49), isDue(1, 0.5), isDue(6, 0.015), isDue(6, 0.016)]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(isDue(7, 0)).toBe(false);
    const other = { ...part(1), isKept: false };
    keepCode([other]);
    expect(existsSync(other.cache)).toBe(false);
  });

  it("is not stored for a bundle that differs from the build", () => {
    const changed = part(0, "the bundle, changed");
    keepCode([changed]);
    expect(existsSync(changed.cache)).toBe(false);
  });

  it("that cannot be written causes no error", () => {
    expect(() => keepCode([{ ...part(0), cache: join(import.meta.filename, "code.bin") }])).not.toThrow();
  });
});
