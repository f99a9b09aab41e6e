import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { sha256Hex } from "../../store/digest.ts";
import { keepCode, type Part } from "./code-cache.ts";

const scratch = tempDirectory("code");

let count = 0;

function part(kept: number, text = "the bundle"): Part {
  const cache = join(scratch, `${++count}`, "code.bin");
  const script = { createCachedData: () => Buffer.from("compiled") };
  return { script, cache, hash: sha256Hex("the bundle"), text: () => text, kept };
}

describe("compiled code", () => {
  it("is stored with a counter and a checksum", () => {
    const one = part(2);
    keepCode([one], () => 0);
    const bytes = readFileSync(one.cache);
    expect(bytes.subarray(0, -5).toString()).toBe("compiled");
    expect(bytes.at(-5)).toBe(3);
    expect(bytes.readUInt32LE(bytes.length - 4)).toBe(crc32(bytes.subarray(0, -4)));
  });

  it("is stored at once, then with falling probability, and never again after the limit", () => {
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

  it("is not stored for a bundle that differs from the build", () => {
    const changed = part(0, "the bundle, changed");
    keepCode([changed]);
    expect(existsSync(changed.cache)).toBe(false);
  });

  it("that cannot be written causes no error", () => {
    expect(() => keepCode([{ ...part(0), cache: join(import.meta.filename, "code.bin") }])).not.toThrow();
  });
});
