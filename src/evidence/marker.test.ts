import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../hosts/index.ts";
import { hasMarker } from "./marker.ts";

const { parse } = hosts[HOST];

const QA = "<promise>QA_COMPLETE</promise>";

describe("TS-32 MD-62 a marker in the last message", () => {
  it.each([
    ["alone", "<promise>DONE</promise>"],
    ["at the end of a report", "All boxes are ticked.\n\n<promise>DONE</promise>\n"],
    ["in another case", "<PROMISE>done</PROMISE>"],
    ["with white space within", "<promise>\n  Done\t</promise>"],
    ["after another one", `${QA} <promise>DONE</promise>`],
  ])("is recognised: %s", (_, message) => {
    expect(hasMarker(message, "DONE")).toBe(true);
  });

  it.each([
    ["at the end of a sentence", "All of it works. <promise>DONE</promise>"],
    ["without a full stop before it", "All of it is done <promise>DONE</promise>"],
    ["before a last remark", "<promise>DONE</promise> The tests pass, too."],
    ["in bold", "**<promise>DONE</promise>**"],
    ["as code, in a line of its own", "It works:\n\n`<promise>DONE</promise>`"],
    ["in a block of code", "It works.\n```\n<promise>DONE</promise>\n```"],
    ["in a list", "- <promise>DONE</promise>"],
    ["in Japanese", "\u3059\u3079\u3066\u5b8c\u4e86\u3057\u307e\u3057\u305f\u3002<promise>DONE</promise>"],
    ["said at last, after it was talked of", "I was to say `<promise>DONE</promise>` then.\n<promise>DONE</promise>"],
  ])("counts as said: %s", (_, message) => {
    expect(hasMarker(message, "DONE")).toBe(true);
  });

  it.each([
    ["in the middle of a sentence", "I cannot write <promise>DONE</promise> before the tests pass."],
    ["as code beside other words", "I will end with `<promise>DONE</promise>`."],
    ["in quotes beside other words", 'When it is done I will say "<promise>DONE</promise>"'],
    [
      "in Japanese quotes",
      "\u7d42\u308f\u3063\u305f\u3089\u300c<promise>DONE</promise>\u300d\u3068\u66f8\u304d\u307e\u3059",
    ],
    ["our words about a mode that goes on", "When all of it is done, write <promise>DONE</promise> to end it."],
    [
      "our own words, told back",
      "Go on. When it really is, end with <promise>DONE</promise>. What only the person can decide, ask.",
    ],
  ])("counts as a mention only: %s", (_, message) => {
    expect(hasMarker(message, "DONE")).toBe(false);
  });

  it("the QA marker is a different one", () => {
    expect(hasMarker(`Checked by hand.\n${QA}`, "QA_COMPLETE")).toBe(true);
    expect(hasMarker(QA, "DONE")).toBe(false);
    expect(hasMarker("<promise>DONE</promise>", "QA_COMPLETE")).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["the word alone", "DONE"],
    ["half a marker", "<promise>DONE"],
    ["another tag", "<result>DONE</result>"],
    ["more than the word", "<promise>NOT DONE</promise>"],
    ["other tags within", "<promise><b>DONE</b></promise>"],
  ])("is not found in %s", (_, message) => {
    expect(hasMarker(message, "DONE")).toBe(false);
  });

  it("an empty name never matches", () => {
    expect(hasMarker("<promise></promise>", "")).toBe(false);
    expect(hasMarker("<promise> </promise>", " ")).toBe(false);
  });

  it("only the end of a very long message counts", () => {
    expect(hasMarker(`${"x".repeat(1_000_000)}<promise>DONE</promise>`, "DONE")).toBe(true);
    expect(hasMarker(`<promise>DONE</promise>${"x".repeat(1_000_000)}`, "DONE")).toBe(false);
    expect(hasMarker("<promise>".repeat(200_000), "DONE")).toBe(false);
  });
});

describe("TS-32 MD-66 the last message reported by the host", () => {
  const recorded = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../test/payloads/Stop.first.json"), "utf8"),
  ) as Readonly<Record<string, unknown>>;
  const said = (more: object): boolean => {
    const parsed = parse({ body: JSON.stringify({ ...recorded, ...more }), registeredFor: "Stop", env: {} });
    if (!("event" in parsed) || parsed.event.name !== "Stop") throw new Error("this is no Stop");
    return hasMarker(parsed.event.lastMessage, "DONE");
  };

  it("contains the marker the assistant just printed", () => {
    expect(said({ last_assistant_message: "Done.\n<promise>DONE</promise>" })).toBe(true);
  });

  it("is used even without a transcript, which never replaces it", () => {
    const missing = { transcript_path: join(import.meta.dirname, "no-such-transcript.jsonl") };
    expect(said({ ...missing, last_assistant_message: "<promise>DONE</promise>" })).toBe(true);
    expect(said({ ...missing, last_assistant_message: "" })).toBe(false);
  });

  it("excludes the person's text and earlier messages", () => {
    const older = { prompt: "print <promise>DONE</promise>", previous: "<promise>DONE</promise>" };
    expect(said({ ...older, last_assistant_message: "I have begun." })).toBe(false);
    expect(said({ ...older, last_assistant_message: undefined })).toBe(false);
    expect(said({ ...older, last_assistant_message: ["<promise>DONE</promise>"] })).toBe(false);
  });
});
