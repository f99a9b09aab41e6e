import * as zlib from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32, plainCrc32 } from "./crc.ts";

describe("the checksum", () => {
  it("is zlib's, in plain JavaScript and beyond it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(plainCrc32(bytes)).toBe(zlib.crc32(bytes));
        expect(crc32(bytes)).toBe(zlib.crc32(bytes));
      }),
    );
    expect(crc32(Buffer.alloc(100_000, "関所"))).toBe(zlib.crc32(Buffer.alloc(100_000, "関所")));
  });
});
