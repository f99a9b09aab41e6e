import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum } from "./checksum.ts";

const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 3_000 });

describe("checksum", () => {
  it("is stable, so that journals of earlier versions stay readable", () => {
    const of = (text: string): string => checksum(Buffer.from(text)).toString(16).padStart(8, "0");
    expect(["", "a", "abcd", "abcde", "関所", "x".repeat(5_000)].map(of)).toMatchInlineSnapshot(`
      [
        "00000000",
        "07d1b00f",
        "6f872be5",
        "c77b434d",
        "a653adfb",
        "a7146e5a",
      ]
    `);
  });

  it("a change within one word is always detected", () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, flip) => {
        const changed = bytes.slice();
        const place = at % bytes.length;
        changed[place] = (changed[place] ?? 0) ^ flip;
        expect(checksum(changed)).not.toBe(checksum(bytes));
      }),
    );
  });

  // No record is shorter. Among the shortest texts, the empty one and a single blank have the same checksum.
  it("a text that was cut or extended by zeros has another checksum", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 3_000 }), (bytes) => {
        expect(checksum(bytes.slice(0, -1))).not.toBe(checksum(bytes));
        expect(checksum(Uint8Array.from([...bytes, 0]))).not.toBe(checksum(bytes));
      }),
    );
  });

  it("does not depend on the position of the bytes or on earlier calls", () => {
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 0, max: 7 }), anyBytes, (bytes, shift, before) => {
        const moved = new Uint8Array(bytes.length + shift);
        moved.set(bytes, shift);
        checksum(before);
        expect(checksum(moved.subarray(shift))).toBe(checksum(bytes));
      }),
    );
  });
});
