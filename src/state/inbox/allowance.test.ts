import { expect, it } from "vitest";
import { foldPart } from "../part.ts";
import { BYTES_PER_HOUR, COUNT_PER_HOUR, isAllowed } from "./allowance.ts";
import { at, message, task } from "./example-mail.ts";
import { type Inbox, inbox } from "./part.ts";

const HOUR = 3_600_000;
const one = { count: 1, bytes: 0 };
const sentIn = (...records: Parameters<typeof foldPart>[1]) => (foldPart(inbox, records) as Inbox).sent;

it("a session may send a thousand messages and tasks in an hour, and then waits for the next one", () => {
  const many = Array.from({ length: COUNT_PER_HOUR - 1 }, (_, n) => message(`m${n}`, { session: "s1" }));
  expect(isAllowed(sentIn(...many), "s1", one, 1000)).toBe(true);
  const all = sentIn(...many, task("t", { session: "s1" }));
  expect(isAllowed(all, "s1", one, 1000)).toBe(false);
  expect(isAllowed(all, "s2", one, 1000)).toBe(true);
  expect(isAllowed(all, "s1", one, 1000 + HOUR)).toBe(true);
  expect(isAllowed(all, "s1", one, 0)).toBe(true);
});

it("its long texts count by their size", () => {
  const blob = { sha256: "0".repeat(64), bytes: BYTES_PER_HOUR - 10 };
  const sent = sentIn(message("a", { session: "s1", blob }));
  expect(isAllowed(sent, "s1", { count: 1, bytes: 10 }, 1000)).toBe(true);
  expect(isAllowed(sent, "s1", { count: 1, bytes: 11 }, 1000)).toBe(false);
});

it("a person's messages, those of Sekisho and those of the host don't count", () => {
  const native = { reach: "x", mark: "m", head: "h", chars: 1 };
  const records = [message("a"), message("sekisho.0011223344556677", { session: "s1" })];
  expect(sentIn(...records, message("n", { session: "s1", native }))).toEqual({});
  expect(sentIn(at({ kind: "mail", do: "read", box: "worker1", session: "s1" }))).toEqual({});
});
